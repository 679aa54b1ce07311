import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A content coding of cached lists (RFC 9110 section 8.4.1; RFC 7932). */
export type Coding = 'br' | 'gzip'

/** Above 5, Brotli takes much longer and saves little. */
const BROTLI_QUALITY = 5
/** Larger, so fewer, steps than the default of 16 KiB. Each step goes through the event loop. */
const STEP_BYTES = 256 * 1024

const encoders: Readonly<Record<Coding, (body: Uint8Array) => Promise<Uint8Array>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      chunkSize: STEP_BYTES,
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body, { chunkSize: STEP_BYTES }),
}

/** Encodes a body, off the event loop. */
export function encodeBody(coding: Coding, body: Uint8Array): Promise<Uint8Array> {
  return encoders[coding](body)
}

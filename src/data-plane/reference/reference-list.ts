import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { WholeList } from './join-pages.ts'

/** A content coding of cached lists (RFC 9110 section 8.4.1; RFC 7932). */
export type Coding = 'br' | 'gzip'

/** A whole list, and the content codings made of it so far. */
export interface ReferenceList extends WholeList {
  /** Returns the list in a content coding, if it has been made. */
  made(coding: Coding): Uint8Array | undefined
  /** Returns the list in a content coding. Makes it once, however many callers wait for it. */
  make(coding: Coding): Promise<Uint8Array>
  /** The memory of the list and its content codings, in bytes. */
  bytes(): number
}

/**
 * Creates a reference list.
 * @param onGrown called after a content coding has been made, because the list then takes more memory.
 */
export function referenceList({ body, etag }: WholeList, onGrown: () => void): ReferenceList {
  const made = new Map<Coding, Uint8Array>()
  const making = new Map<Coding, Promise<Uint8Array>>()
  const encode = async (coding: Coding): Promise<Uint8Array> => {
    const coded = await encoders[coding](body)
    made.set(coding, coded)
    onGrown()
    return coded
  }
  return {
    body,
    etag,
    made: (coding) => made.get(coding),
    make(coding) {
      const begun = making.get(coding) ?? encode(coding)
      making.set(coding, begun)
      return begun
    },
    bytes: () => [...made.values()].reduce((sum, coded) => sum + coded.byteLength, body.byteLength),
  }
}

/** Above 5, Brotli takes much longer and saves little. */
const BROTLI_QUALITY = 5
/** Larger, so fewer, steps than the default of 16 KiB. Each step goes through the event loop. */
const STEP_BYTES = 256 * 1024

/** These encode a body off the event loop. */
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

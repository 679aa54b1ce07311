import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { toRecordingError } from './recording-error.ts'

/** Gzip data that cannot be unpacked any further. */
export class GzipError extends Error {
  override readonly name = 'GzipError'
}

/** RFC 1952 section 2.3.1. */
const GZIP = Buffer.from([0x1f, 0x8b])

/**
 * The bytes of a file, unpacked when it is gzip, told by how it begins. Of gzip that is cut off comes what is there.
 * @throws RecordingError when the file cannot be read, GzipError when the gzip data are damaged.
 */
export async function* readBytes(path: string): AsyncGenerator<Buffer> {
  try {
    const isGzip = await startsWith(path, GZIP)
    const file = createReadStream(path)
    // The end of the file is no error: a recording may be read while it is written.
    const gunzip = (): NodeJS.ReadWriteStream => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    yield* (isGzip ? pipeline(file, gunzip(), () => undefined) : file) as AsyncIterable<Buffer>
  } catch (error) {
    const isDamaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isDamaged ? new GzipError(error.message, { cause: error }) : toRecordingError(path, error)
  }
}

async function startsWith(path: string, magic: Buffer): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0)
    return bytesRead === magic.length && buffer.equals(magic)
  } finally {
    await file.close()
  }
}

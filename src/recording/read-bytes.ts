import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { toRecordingError } from './recording-error.ts'

/** Thrown when gzip data cannot be unpacked any further. */
export class GzipError extends Error {
  override readonly name = 'GzipError'
}

/** The first bytes of gzip data: RFC 1952 section 2.3.1. */
const GZIP = Buffer.from([0x1f, 0x8b])
/** The first bytes of files packed in other formats. No recording begins with any of them. */
const OTHERS: Readonly<Record<string, Buffer>> = {
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  xz: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]),
  bzip2: Buffer.from('BZh'),
  zip: Buffer.from('PK\x03\x04'),
}
const HEAD = 5

/**
 * Reads the bytes of a file, and unpacks gzip, which it recognises by its first bytes. Yields the readable part of truncated gzip.
 * @param onCutOff called at the end of truncated gzip.
 * @throws RecordingError if the file cannot be read, or is packed in another format; GzipError if the gzip data are damaged.
 */
export async function* readBytes(path: string, onCutOff: () => void = () => undefined): AsyncGenerator<Buffer> {
  try {
    const head = await headOf(path)
    for (const [name, magic] of Object.entries(OTHERS)) {
      if (startsWith(head, magic)) throw new Error(`packed with ${name}: unpack it, or pack it with gzip`)
    }
    const file = createReadStream(path)
    yield* startsWith(head, GZIP) ? unpacked(file) : file
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === CUT_OFF) return onCutOff()
    if (!code.startsWith('Z_')) throw toRecordingError(path, error)
    throw new GzipError((error as Error).message, { cause: error })
  }
}

/** zlib's error code for truncated data. */
const CUT_OFF = 'Z_BUF_ERROR'

/**
 * Unpacks gzip. Rejects at the end of truncated data. A failing stream drops data that is not read yet, so the end is
 * signalled only after everything has been read.
 */
async function* unpacked(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let onRead = (): void => undefined
  const fed = async function* (): AsyncGenerator<Buffer> {
    yield* file
    await new Promise<void>((resolve) => gunzip.flush(constants.Z_SYNC_FLUSH, resolve))
    while (gunzip.readableLength > 0) {
      await new Promise<void>((resolve) => {
        onRead = resolve
      })
    }
  }
  for await (const part of pipeline(fed, gunzip, () => undefined)) {
    onRead()
    yield part
  }
}

const startsWith = (head: Buffer, magic: Buffer): boolean => head.subarray(0, magic.length).equals(magic)

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

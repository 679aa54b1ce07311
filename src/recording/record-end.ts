import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'

const gunzip = promisify(gunzipWithCallback)

const NEWLINE = 0x0a
/** The first bytes of a gzip member without optional fields: RFC 1952 section 2.3.1. */
const MEMBER = Buffer.from([0x1f, 0x8b, 0x08, 0x00])
/** The most bytes at the end that are searched for the last member. */
const MAX_TAIL = 4 * 1024 * 1024

/** Whether a text file of this size ends with a complete line. */
export async function endsInNewline(file: FileHandle, size: number): Promise<boolean> {
  return size === 0 || (await lastBytes(file, size, 1))[0] === NEWLINE
}

/** Whether a gzip file of this size ends with a complete member. */
export async function endsInWholeMember(file: FileHandle, size: number): Promise<boolean> {
  const tail = await lastBytes(file, size, MAX_TAIL)
  const start = tail.lastIndexOf(MEMBER)
  if (start === -1) return false
  try {
    await gunzip(tail.subarray(start))
    return true
  } catch {
    return false
  }
}

async function lastBytes(file: FileHandle, size: number, most: number): Promise<Buffer> {
  const length = Math.min(size, most)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.subarray(0, bytesRead)
}

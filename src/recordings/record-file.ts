import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback, gzip as gzipWithCallback } from 'node:zlib'

interface RecordFileOptions {
  /** If the name ends in `.gz`, the file is written as gzip, each batch as a member of its own. */
  readonly file: string
  /** Before the file would grow beyond this, it is renamed to `FILE.1`, an existing `FILE.1` to `FILE.2`, and so on. */
  readonly maxBytes: number
  /** How many renamed files are kept. */
  readonly files: number
}

const gzip = promisify(gzipWithCallback)

const MAX_BATCH = 1024 * 1024
const NEWLINE = Buffer.from('\n')
const NOTHING = Buffer.alloc(0)

/** A file to append lines to. It is opened for each batch, so it may be moved between batches. */
export class RecordFile {
  readonly #options: RecordFileOptions
  readonly #isGzip: boolean
  /** The size after the last batch. A file that has another size now may end with an incomplete line or member. */
  #lastSize = 0

  constructor(options: RecordFileOptions) {
    this.#options = options
    this.#isGzip = options.file.endsWith('.gz')
  }

  /** Checks that the file can be written; creates it if it does not exist. */
  check(): Promise<void> {
    return withFile(this.#options.file, async () => undefined)
  }

  /** Appends a batch of the first lines and returns how many. After an error none of them is in the file. */
  async append(lines: readonly Buffer[]): Promise<number> {
    const { file, files } = this.#options
    const batch = this.#batchOf(lines)
    const bytes = this.#isGzip ? await gzip(Buffer.concat(batch)) : Buffer.concat(batch)
    if (!(await this.#hasRoom(bytes.length))) await setAside(file, files)
    await withFile(file, (handle) => this.#write(handle, bytes))
    return batch.length
  }

  /** Returns the first lines that fit a batch, at least one. */
  #batchOf(lines: readonly Buffer[]): readonly Buffer[] {
    let room = Math.min(MAX_BATCH, this.#options.maxBytes)
    const end = lines.findIndex(({ length }) => {
      room -= length
      return room < 0
    })
    return lines.slice(0, end === -1 ? lines.length : Math.max(end, 1))
  }

  /** Whether this many bytes can be appended to the current file. */
  async #hasRoom(bytes: number): Promise<boolean> {
    const { file, maxBytes } = this.#options
    const size = (await unlessMissing(stat(file)))?.size ?? 0
    if (size === 0) return true
    if (size + bytes > maxBytes) return false
    // Data after a truncated member could not be read.
    return !this.#isGzip || size === this.#lastSize || withFile(file, (handle) => endsInWholeMember(handle, size))
  }

  async #write(handle: FileHandle, bytes: Buffer): Promise<void> {
    const { size } = await handle.stat()
    const isCutOff = !this.#isGzip && size !== this.#lastSize && !(await endsInNewline(handle, size))
    try {
      await handle.appendFile(Buffer.concat([isCutOff ? NEWLINE : NOTHING, bytes]))
    } catch (error) {
      await handle.truncate(size).catch(() => undefined)
      throw error
    }
    this.#lastSize = size + bytes.length + (isCutOff ? NEWLINE.length : 0)
  }
}

/** Opens the file for appending; a new file is readable by its owner only. */
async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'a+', 0o600)
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

/** Renames `FILE` to `FILE.1`, an existing `FILE.1` to `FILE.2`, and so on; the last one is overwritten. */
async function setAside(file: string, files: number): Promise<void> {
  for (let number = files - 1; number > 0; number--) {
    await unlessMissing(rename(`${file}.${number}`, `${file}.${number + 1}`))
  }
  await unlessMissing(rename(file, `${file}.1`))
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

const gunzip = promisify(gunzipWithCallback)

const LINE_FEED = 0x0a
/** The first bytes of a gzip member without optional fields: RFC 1952 section 2.3.1. */
const MEMBER = Buffer.from([0x1f, 0x8b, 0x08, 0x00])
/** The most bytes at the end that are searched for the last member. */
const MAX_TAIL = 4 * 1024 * 1024

/** Whether a text file of this size ends with a complete line. */
async function endsInNewline(file: FileHandle, size: number): Promise<boolean> {
  return size === 0 || (await lastBytes(file, size, 1))[0] === LINE_FEED
}

/** Whether a gzip file of this size ends with a complete member. */
async function endsInWholeMember(file: FileHandle, size: number): Promise<boolean> {
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

import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import { endsInNewline, endsInWholeMember } from './record-end.ts'

export interface RecordFileOptions {
  /** A name that ends in `.gz`: the file is written as gzip, every batch a member of its own. */
  readonly file: string
  /** A file that would grow beyond this is set aside as `FILE.1`, the one before it as `FILE.2`, and so on. */
  readonly maxBytes: number
  /** How many files are kept beside the one that is written. */
  readonly files: number
}

/** A file that lines are appended to. It is opened for each batch, so that it may be moved away meanwhile. */
export interface RecordFile {
  /** Creates the file if need be, and so finds out whether it can be written. */
  check(): Promise<void>
  /** Appends as many of these lines as make a batch, and says how many. After an error none of them is in the file. */
  append(lines: readonly Buffer[]): Promise<number>
}

const gzip = promisify(gzipWithCallback)

const MAX_BATCH = 1024 * 1024
const NEWLINE = Buffer.from('\n')
const NOTHING = Buffer.alloc(0)

export function recordFile({ file, maxBytes, files }: RecordFileOptions): RecordFile {
  const isGzip = file.endsWith('.gz')
  /** The size after the last batch: a file of another size may end in the middle of something. */
  let sizeKnown = 0

  /** The lines at the front that make a batch; at least one. */
  const batchOf = (lines: readonly Buffer[]): readonly Buffer[] => {
    let room = Math.min(MAX_BATCH, maxBytes)
    const end = lines.findIndex(({ length }) => {
      room -= length
      return room < 0
    })
    return lines.slice(0, end === -1 ? lines.length : Math.max(end, 1))
  }

  const write = async (handle: FileHandle, bytes: Buffer): Promise<void> => {
    const { size } = await handle.stat()
    const isCutOff = !isGzip && size !== sizeKnown && !(await endsInNewline(handle, size))
    try {
      await handle.appendFile(Buffer.concat([isCutOff ? NEWLINE : NOTHING, bytes]))
    } catch (error) {
      await handle.truncate(size).catch(() => undefined)
      throw error
    }
    sizeKnown = size + bytes.length + (isCutOff ? NEWLINE.length : 0)
  }

  /** Whether so many bytes may be appended to the file as it is. */
  const hasRoom = async (bytes: number): Promise<boolean> => {
    const size = await sizeOf(file)
    if (size === 0) return true
    if (size + bytes > maxBytes) return false
    // What follows a member that is cut off could not be read.
    return !isGzip || size === sizeKnown || withFile(file, (handle) => endsInWholeMember(handle, size))
  }

  return {
    check: () => withFile(file, async () => undefined),
    async append(lines) {
      const batch = batchOf(lines)
      const bytes = isGzip ? await gzip(Buffer.concat(batch)) : Buffer.concat(batch)
      if (!(await hasRoom(bytes.length))) await setAside(file, files)
      await withFile(file, (handle) => write(handle, bytes))
      return batch.length
    },
  }
}

/** Only its owner may read a file that is created here. */
async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'a+', 0o600)
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await unlessMissing(stat(file)))?.size ?? 0
}

/** Renames `FILE` to `FILE.1`, what was there to `FILE.2`, and so on; the last one is lost. */
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

export interface Line {
  /** From 1. */
  readonly number: number
  /** Without the line feed; undefined: the line is too long. */
  readonly bytes: Buffer | undefined
  /** Whether the line feed is missing, which is only possible in the last line. */
  readonly isOpen: boolean
}

const LINE_FEED = 0x0a

/** Reads the lines of a text. Keeps at most `maxBytes` of a line in memory. */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  /** The current line so far. */
  let parts: Buffer[] = []
  let length = 0
  let number = 0

  const add = (part: Buffer): void => {
    length += part.length
    if (length > maxBytes) parts = []
    else parts.push(part)
  }
  const take = (isOpen: boolean): Line => {
    const [first = Buffer.alloc(0), ...others] = parts
    const bytes = length > maxBytes ? undefined : others.length === 0 ? first : Buffer.concat(parts)
    parts = []
    length = 0
    number++
    return { number, bytes, isOpen }
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end))
      yield take(false)
      start = end + 1
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (length > 0) yield take(true)
}

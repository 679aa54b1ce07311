export interface Line {
  /** From 1. */
  readonly number: number
  /** Without the line feed; undefined: the line is longer than was allowed. */
  readonly bytes: Buffer | undefined
  /** Whether no line feed ends it, which only the last line can lack. */
  readonly isOpen: boolean
}

const LINE_FEED = 0x0a

/** The lines of a text, none of which is kept beyond `maxBytes`. */
export async function* readLines(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  /** What has come of the line that is being read. */
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

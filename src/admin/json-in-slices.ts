import { inSlices } from '../observe/in-slices.ts'

/** Lists are serialised item by item down to this depth: those of an object in the result. */
const DEEPEST = 2

/** Serialises an object as UTF-8, like `JSON.stringify`. In slices, because its lists may have megabytes. */
export async function jsonInSlices(value: object): Promise<Uint8Array<ArrayBuffer>> {
  let length = 0
  const written = await inSlices(pieces(value, 0), (piece) => {
    const bytes = Buffer.from(piece)
    length += bytes.length
    return bytes
  })
  // As `Buffer.concat`, which takes 50 ms for 50 MB.
  const whole = Buffer.allocUnsafe(length)
  let end = 0
  await inSlices(written, (bytes) => {
    end += bytes.copy(whole, end)
  })
  return whole
}

function* pieces(value: unknown, depth: number): Iterable<string> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || depth > DEEPEST) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    yield '['
    for (const [at, item] of value.entries()) yield `${at === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`
    yield ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* pieces(member, depth + 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

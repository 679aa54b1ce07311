import { memberPath } from '../../common/json-path.ts'
import { isObject, type Side } from '../examples/samples.ts'
import { type DeclaredLoss, lossFor } from './law-lines.ts'
import { UNLISTED } from './law-values.ts'

/** A declared loss that made-up values have shown. */
export interface SeenLoss {
  readonly part: 'request' | 'answer'
  /** On the side where the way begins; empty: it is about the whole part. */
  readonly path: string
  readonly why: string
}

/** A place that comes back different, although the mapping does not declare it. */
export interface UndeclaredLoss {
  readonly part: 'request' | 'answer'
  readonly path: string
  readonly says: string
}

/** What one way there and back has done to one value. */
export interface Way {
  readonly losses: readonly SeenLoss[]
  readonly broken: readonly UndeclaredLoss[]
}

interface Around {
  readonly part: 'request' | 'answer'
  readonly side: Side
  /** The path of the value in its body. */
  readonly at: string
  readonly declared: readonly DeclaredLoss[]
}

/** Compares a value with what comes back. */
export function compareWay(before: unknown, after: unknown, { part, side, at, declared }: Around): Way {
  const [there, back] = [placesOf(before, at), placesOf(after, at)]
  const losses: SeenLoss[] = []
  const broken: UndeclaredLoss[] = []
  for (const key of new Set([...there.keys(), ...back.keys()])) {
    const [was, is] = [there.get(key), back.get(key)]
    if (was !== undefined && is !== undefined && isSame(was.value, is.value)) continue
    const path = (was ?? is)?.path ?? at
    const loss = lossFor(declared, side, path, was?.value)
    if (loss === undefined) broken.push({ part, path, says: changeInWords(was?.value, is?.value) })
    else losses.push({ part, path: loss.path.endsWith(UNLISTED) ? '' : loss.path, why: loss.why })
  }
  return { losses, broken }
}

/** A scalar, or an empty list. Of an object, only its members count. */
interface Leaf {
  readonly path: string
  readonly value: unknown
}

/** Returns the leaves of a value by their place, which counts the items of lists. */
function placesOf(value: unknown, path: string, key = '', into = new Map<string, Leaf>()): Map<string, Leaf> {
  if (Array.isArray(value) && value.length > 0) {
    for (const [index, item] of value.entries()) placesOf(item, `${path}[]`, `${key}[${index}]`, into)
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value))
      placesOf(inner, memberPath(path, name), memberPath(key, name), into)
  } else if (value !== undefined) into.set(key, { path, value })
  return into
}

/** Whether two leaves are equal. Texts of numbers are if the numbers are: 50 and 50.0. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  (typeof one === 'string' && typeof other === 'string' && isNumber(one) && Number(one) === Number(other))

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

function changeInWords(was: unknown, is: unknown): string {
  if (is === undefined) return `${short(was)} does not come back`
  return was === undefined ? `${short(is)} comes back where nothing was` : `${short(was)} comes back as ${short(is)}`
}

const MOST_LETTERS = 40

function short(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`
}

import { pathOf, type Segment, segmentsOf } from '../../common/json-path.ts'
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
  const losses: SeenLoss[] = []
  const broken: UndeclaredLoss[] = []
  compare(before, after, [...segmentsOf(at)], (was, is, segments) => {
    const path = pathOf(segments)
    const loss = lossFor(declared, side, path, was)
    if (loss === undefined) broken.push({ part, path, says: changeInWords(was, is) })
    else losses.push({ part, path: loss.path.endsWith(UNLISTED) ? '' : loss.path, why: loss.why })
  })
  return { losses, broken }
}

/** Tells of each scalar or empty list that comes back different. Of objects, only the members count. */
function compare(
  was: unknown,
  is: unknown,
  at: Segment[],
  differ: (was: unknown, is: unknown, at: readonly Segment[]) => void,
): void {
  if (was === is) return
  const [before, after] = [partsOf(was), partsOf(is)]
  const [leaf, left] = [before === undefined ? was : undefined, after === undefined ? is : undefined]
  if (!isSame(leaf, left)) differ(leaf, left, at)
  const names = new Set([...Object.keys(before ?? NOTHING), ...Object.keys(after ?? NOTHING)])
  for (const name of names) {
    const isItem = Array.isArray(before ?? after)
    at.push(isItem ? null : name)
    compare(before?.[name], after?.[name], at, differ)
    at.pop()
  }
}

type Parts = Readonly<Record<string, unknown>>
const NOTHING: Parts = {}

/** Returns the members of an object, or the items of a list that has any; undefined: the value has no parts. */
const partsOf = (value: unknown): Parts | undefined =>
  isObject(value) || (Array.isArray(value) && value.length > 0) ? (value as Parts) : undefined

/** Whether two values without parts are equal. Texts of numbers are if the numbers are: 50 and 50.0, but not 050, which is a code. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (Array.isArray(one) && Array.isArray(other)) ||
  (typeof one === 'string' && typeof other === 'string' && isNumber(one) && Number(one) === Number(other))

const isNumber = (text: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)

function changeInWords(was: unknown, is: unknown): string {
  if (is === undefined) return `${short(was)} does not come back`
  return was === undefined ? `${short(is)} comes back where nothing was` : `${short(was)} comes back as ${short(is)}`
}

const MOST_LETTERS = 40

function short(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`
}

import { COMPARED_HEADERS } from '../../../exchange/compared-headers.ts'
import type { Leniency } from '../expected/leniency.ts'
import { type Budget, NO_LIMIT } from './budget.ts'
import { areEqual, type ExactNumber, formOf } from './decimal.ts'
import { type Answer, type Comparison, Findings, joined, type Place, partOf } from './difference.ts'
import { isNumber, isObject, type JsonObject, type JsonValue, readBody, typeOf } from './json-value.ts'
import { lengthChange, type Pairs, pairById, pairReordered, pairUnordered } from './pair-items.ts'
import { itemsPath, memberPath } from './path.ts'
import { SecondLook, type Shown, type Standing, UNKNOWN } from './second-look.ts'

/** The second answers of both sides, which tell drift from a difference. */
export interface Again {
  readonly control: Answer
  /** Undefined: the candidate was not asked again, or failed. */
  readonly candidate: Answer | undefined
  /** The candidate's first answer came before the control's. */
  readonly candidateWasFirst: boolean
}

/**
 * Compares the candidate's answer with the control's (docs/decisions/0041): status, headers that programs read, and body. If the
 * statuses differ, nothing else is compared. If a body is not JSON, or is nested too deep, both are compared as bytes. Takes about
 * as long as parsing the bodies.
 * @param again the second answers, which decide how each difference stands.
 * @param budget how long the comparison may take.
 * @param leniency differences that rules excuse during the comparison.
 * @param pairs collects the items of arrays that are compared with each other.
 * @throws TooCostly when it takes longer, or finds more classes of difference than anyone could read.
 */
export function diff(
  control: Answer,
  candidate: Answer,
  again?: Again,
  budget = NO_LIMIT,
  leniency?: Leniency,
  pairs?: Pairs,
): Comparison {
  // An answer with another status has other headers and another body, which say nothing about these.
  const { status } = control
  const comparable = again && [status, candidate.status].includes(again.control.status) ? again : undefined
  if (status !== candidate.status) {
    const findings = new Findings('status', leniency)
    const detail = `${status} → ${candidate.status}${candidate.code === undefined ? '' : ` ${candidate.code}`}`
    const look = secondLook(comparable, budget, (answer) => String(answer.status))
    const standing = look?.judge(String(status), String(candidate.status))
    findings.add({
      ...{ kind: 'status', path: '', detail, standing },
      ...{ control: status, candidate: candidate.status },
    })
    return findings.comparison()
  }
  const lookAt = (of: (answer: Answer) => Shown): SecondLook | undefined =>
    secondLook(comparable, budget, (answer) => (answer.status === status ? of(answer) : UNKNOWN))
  const headers = new Findings('header', leniency)
  compareHeaders(control, candidate, headers, (name) => lookAt((answer) => answer.headers?.[name]))
  const findings = new Findings(partOf(control.status), leniency)
  const { json: was } = control.read ?? readBody(control.body)
  const { json: is } = candidate.read ?? readBody(candidate.body)
  if (was !== undefined && is !== undefined) {
    const look = lookAt(({ body, read }) => (read ?? readBody(body)).json ?? UNKNOWN)
    compareValues(was, is, { path: '', findings, look, budget, pairs })
  } else if (Buffer.compare(control.body, candidate.body) !== 0) {
    const bytes = ({ body }: Answer): string => Buffer.from(body).toString('latin1')
    const standing = lookAt(bytes)?.judge(bytes(control), bytes(candidate))
    findings.add({ kind: 'changed', path: '', standing })
  }
  return joined(headers.comparison(), findings.comparison())
}

/** Returns what the second answers show; UNKNOWN for a candidate that gave none. */
function secondLook(again: Again | undefined, budget: Budget, of: (answer: Answer) => Shown): SecondLook | undefined {
  if (again === undefined) return undefined
  const { control, candidate, candidateWasFirst } = again
  return new SecondLook(of(control), candidate === undefined ? UNKNOWN : of(candidate), candidateWasFirst, budget)
}

/** Where two values are compared. */
interface At {
  readonly path: string
  readonly findings: Findings
  /** The second answers at the same place; undefined: there are none. */
  readonly look: SecondLook | undefined
  readonly budget: Budget
  readonly pairs: Pairs | undefined
}

/** Adds a difference of two values at a place. */
function add({ path, findings, look }: At, { control, candidate, ...place }: Omit<Place, 'path'>): false {
  return findings.add({ path, control, candidate, standing: look?.judge(control, candidate), ...place })
}

const atMember = ({ path, look, ...at }: At, name: string): At => ({
  ...at,
  path: memberPath(path, name),
  look: look?.member(name),
})

const atItem = ({ path, look, ...at }: At, like: JsonValue, index: number): At => ({
  ...at,
  path: itemsPath(path),
  look: look?.item(like, index),
})

/** Adds the differences of two values; returns whether they are equal. */
function compareValues(control: JsonValue, candidate: JsonValue, at: At): boolean {
  at.budget.step()
  if (control === candidate) return true
  const [was, is] = [typeOf(control), typeOf(candidate)]
  if (was !== is) return add(at, { kind: 'type', control, candidate, detail: `${was} → ${is}` })
  if (isObject(control) && isObject(candidate)) return compareMembers(control, candidate, at)
  if (Array.isArray(control) && Array.isArray(candidate)) return compareItems(control, candidate, at)
  if (isNumber(control) && isNumber(candidate) && areEqual(control, candidate))
    return compareForms(control, candidate, at)
  return add(at, { kind: 'changed', control, candidate })
}

/** Compares how two equal numbers are written. */
function compareForms(control: number | ExactNumber, candidate: number | ExactNumber, at: At): boolean {
  const [was, is] = [formOf(control), formOf(candidate)]
  if (was === is) return true
  return add(at, { kind: 'type', control, candidate, detail: `${was} → ${is}`, standing: at.look?.judgeForm(control) })
}

function compareMembers(control: JsonObject, candidate: JsonObject, at: At): boolean {
  let equal = true
  for (const name of Object.keys(control)) {
    const was = control[name] as JsonValue
    if (!Object.hasOwn(candidate, name)) equal = add(atMember(at, name), { kind: 'missing', control: was })
    else {
      const is = candidate[name] as JsonValue
      // Most members are equal and need no path.
      if (was !== is && !compareValues(was, is, atMember(at, name))) equal = false
    }
  }
  for (const name of Object.keys(candidate)) {
    if (!Object.hasOwn(control, name)) equal = add(atMember(at, name), { kind: 'extra', candidate: candidate[name] })
  }
  return equal
}

type Items = readonly JsonValue[]

/** Compares two items that belong together. */
function compareItem(control: JsonValue, candidate: JsonValue, at: At, index: number): boolean {
  at.pairs?.add(control, candidate)
  return compareValues(control, candidate, atItem(at, control, index))
}

/** Compares two arrays. If the candidate's list is one that the control showed, or lies between its two, everything in it has drifted. */
function compareItems(control: Items, candidate: Items, at: At): boolean {
  if (at.look === undefined) return compareEachItem(control, candidate, at)
  const inside = at.findings.inside()
  const equal = compareEachItem(control, candidate, { ...at, findings: inside })
  at.findings.addAll(inside, !equal && at.look.isBetween(control, candidate) ? 'drift' : undefined)
  return equal
}

function compareEachItem(control: Items, candidate: Items, at: At): boolean {
  const [was, is] = [control.length, candidate.length]
  let standing: Standing | undefined
  const rows = (): Standing | undefined => {
    standing ??= at.look?.judgeRows(control, candidate)
    return standing
  }
  const asAList = (place: Omit<Place, 'path' | 'standing'>): false =>
    at.findings.add({ path: at.path, ...place, standing: rows() })
  if (was !== is) {
    const { isPure, extra } = lengthChange(control, candidate, at.budget)
    const widenedBy = isPure && extra.length > 0 ? at.findings.leniency?.widenedBy(at.path, extra) : undefined
    const detail = `${was} → ${is}`
    asAList({ kind: 'length', control: was, candidate: is, detail, isPure, widenedBy })
  }
  const pairs = pairById(control, candidate)
  if (pairs === undefined) return was === is && compareByPosition(control, candidate, at)
  let equal = was === is
  for (const [index, [was, is]] of pairs.both.entries()) {
    if (!compareItem(was, is, at, index)) equal = false
  }
  if (was !== is) return false
  if (pairs.reordered) equal = asAList({ kind: 'order' })
  for (const [was, is] of pairs.alone) equal = addAlone(was, is, at, rows)
  return equal
}

/**
 * Adds the differences of two items at the same index whose ids the other array lacks. If only their ids differ, the id has
 * changed. Otherwise they are different things: one is missing and the other extra.
 * @param rows tells how the rows of the list stand. If they drifted, so has an extra item, which may have come and gone.
 */
function addAlone(
  control: JsonValue | undefined,
  candidate: JsonValue | undefined,
  at: At,
  rows: () => Standing | undefined,
): false {
  if (control !== undefined && candidate !== undefined) {
    const inside = at.findings.inside()
    const item = { ...atItem(at, control, 0), findings: inside }
    compareValues(control, candidate, item)
    if (inside.isOnlyAt(memberPath(item.path, 'id'))) {
      at.findings.addAll(inside)
      at.pairs?.add(control, candidate)
      return false
    }
  }
  if (control !== undefined) add(atItem(at, control, 0), { kind: 'missing', control })
  if (candidate !== undefined) {
    add(atItem(at, candidate, 0), { kind: 'extra', candidate, ...(rows() === 'drift' && { standing: 'drift' }) })
  }
  return false
}

/**
 * Compares items without ids by index, unless they are the same items in another order. If a rule says that the array is
 * unordered, equal items are paired wherever they are, and the others in their order.
 */
function compareByPosition(control: Items, candidate: Items, at: At): boolean {
  const inside = { ...at, findings: at.findings.inside() }
  const unequal = [...control.keys()].filter((index) => {
    const was = control[index] as JsonValue
    return !compareItem(was, candidate[index] as JsonValue, inside, index)
  })
  if (unequal.length === 0) return true
  const itemsAt = (side: Items): Items => unequal.map((index) => side[index] as JsonValue)
  const isViolations = at.findings.part === 'error' && at.path === 'violations'
  const [was, is] = [itemsAt(control), itemsAt(candidate)]
  const pairs =
    pairReordered(was, is, at.budget, isViolations ? 'message' : undefined) ??
    (at.findings.leniency?.isUnordered(at.path) ? pairUnordered(was, is, at.budget) : undefined)
  if (pairs === undefined) at.findings.addAll(inside.findings)
  else {
    at.findings.add({ kind: 'order', path: at.path, standing: at.look?.judge(control, candidate) })
    for (const [index, [was, is]] of pairs.entries()) compareItem(was, is, at, unequal[index] as number)
  }
  return false
}

/** Stands in details for a header that an answer does not have. */
const NONE = 'none'

/** Longer values are cut in details. */
const MAX_SHOWN = 100

/**
 * Adds the differences of the headers that programs read. A body's type matters only if both answers have a body and the control
 * has a type: no program relies on a header that was never there.
 * @param lookAt returns the header in the second answers; undefined: there are none.
 */
function compareHeaders(
  control: Answer,
  candidate: Answer,
  findings: Findings,
  lookAt: (name: (typeof COMPARED_HEADERS)[number]) => SecondLook | undefined,
): void {
  const isTyped = control.headers?.['content-type'] && control.body.length > 0 && candidate.body.length > 0
  for (const name of COMPARED_HEADERS) {
    const [was, is] = [control.headers?.[name], candidate.headers?.[name]]
    if (was === is || (name === 'content-type' && !isTyped)) continue
    const [shownWas, shownIs] = [was, is].map((value) => shown(name, value))
    findings.add({
      ...{ kind: 'header', path: name, detail: `${shownWas} → ${shownIs}` },
      ...{ control: shownWas, candidate: shownIs, standing: lookAt(name)?.judge(was, is) },
    })
  }
}

/** Results are stored and shown, so they must not hold ids or secrets from a `Location`. */
function shown(name: string, value: string | undefined): string {
  if (value === undefined) return NONE
  if (name !== 'location') return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
  const [path = '', ...query] = value.split(/[?#]/)
  const known = path.split('/').map((segment) => (/^(?:https?:|[a-z][a-z_.-]{0,31})?$/.test(segment) ? segment : '…'))
  return `${known.join('/').slice(0, MAX_SHOWN)}${query.length === 0 ? '' : '?…'}`
}

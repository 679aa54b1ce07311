import { ExactNumber } from './decimal.ts'
import { type Answer, type Comparison, Findings, partOf } from './difference.ts'
import { isObject, type JsonObject, type JsonValue, readBody, typeOf } from './json-value.ts'
import { pairById, pairReordered } from './pair-items.ts'
import { itemsPath, memberPath } from './path.ts'

/**
 * Compares the candidate's answer with the control's (docs/decisions/0041). If the statuses differ, the bodies are not
 * compared. If a body is not JSON, or is nested too deep, both are compared as bytes. Takes about as long as parsing the
 * bodies.
 */
export function diff(control: Answer, candidate: Answer): Comparison {
  if (control.status !== candidate.status) {
    const findings = new Findings('status')
    findings.add('status', '', control.status, candidate.status, `${control.status} → ${candidate.status}`)
    return findings.comparison()
  }
  const findings = new Findings(partOf(control.status))
  const { json: was } = control.read ?? readBody(control.body)
  const { json: is } = candidate.read ?? readBody(candidate.body)
  if (was !== undefined && is !== undefined) compareValues(was, is, '', findings)
  else if (Buffer.compare(control.body, candidate.body) !== 0) findings.add('changed', '')
  return findings.comparison()
}

/** Adds the differences of two values; returns whether they are equal. */
function compareValues(control: JsonValue, candidate: JsonValue, path: string, findings: Findings): boolean {
  if (control === candidate) return true
  const [was, is] = [typeOf(control), typeOf(candidate)]
  if (was !== is) return findings.add('type', path, control, candidate, `${was} → ${is}`)
  if (isObject(control) && isObject(candidate)) return compareMembers(control, candidate, path, findings)
  if (Array.isArray(control) && Array.isArray(candidate)) return compareItems(control, candidate, path, findings)
  if (control instanceof ExactNumber && candidate instanceof ExactNumber && control.text === candidate.text) return true
  return findings.add('changed', path, control, candidate)
}

function compareMembers(control: JsonObject, candidate: JsonObject, path: string, findings: Findings): boolean {
  let equal = true
  for (const name of Object.keys(control)) {
    const was = control[name] as JsonValue
    if (!Object.hasOwn(candidate, name)) equal = findings.add('missing', memberPath(path, name), was)
    else {
      const is = candidate[name] as JsonValue
      // Most members are equal and need no path.
      if (was !== is && !compareValues(was, is, memberPath(path, name), findings)) equal = false
    }
  }
  for (const name of Object.keys(candidate)) {
    if (!Object.hasOwn(control, name)) equal = findings.add('extra', memberPath(path, name), undefined, candidate[name])
  }
  return equal
}

type Items = readonly JsonValue[]

function compareItems(control: Items, candidate: Items, path: string, findings: Findings): boolean {
  const [was, is] = [control.length, candidate.length]
  if (was !== is) findings.add('length', path, was, is, `${was} → ${is}`)
  const pairs = pairById(control, candidate)
  if (pairs === undefined) return was === is && compareByPosition(control, candidate, path, findings)
  let equal = was === is
  for (const [was, is] of pairs.both) if (!compareValues(was, is, itemsPath(path), findings)) equal = false
  if (was !== is) return false
  if (pairs.reordered) equal = findings.add('order', path)
  for (const [was, is] of pairs.alone) equal = addAlone(was, is, itemsPath(path), findings)
  return equal
}

/**
 * Adds the differences of two items at the same index whose ids the other array lacks. If only their ids differ, the id has
 * changed. Otherwise they are different things: one is missing and the other extra.
 */
function addAlone(
  control: JsonValue | undefined,
  candidate: JsonValue | undefined,
  path: string,
  findings: Findings,
): false {
  const inside = new Findings(findings.part)
  if (control !== undefined && candidate !== undefined) {
    compareValues(control, candidate, path, inside)
    if (inside.isOnlyAt(memberPath(path, 'id'))) {
      findings.addAll(inside)
      return false
    }
  }
  if (control !== undefined) findings.add('missing', path, control)
  if (candidate !== undefined) findings.add('extra', path, undefined, candidate)
  return false
}

/** Compares items without ids by index, unless they are the same items in another order. */
function compareByPosition(control: Items, candidate: Items, path: string, findings: Findings): boolean {
  const items = itemsPath(path)
  const inside = new Findings(findings.part)
  const unequal = [...control.keys()].filter(
    (at) => !compareValues(control[at] as JsonValue, candidate[at] as JsonValue, items, inside),
  )
  if (unequal.length === 0) return true
  const at = (side: Items): Items => unequal.map((index) => side[index] as JsonValue)
  const isViolations = findings.part === 'error' && path === 'violations'
  const pairs = pairReordered(at(control), at(candidate), isViolations ? 'message' : undefined)
  if (pairs === undefined) findings.addAll(inside)
  else {
    findings.add('order', path)
    for (const [was, is] of pairs) compareValues(was, is, items, findings)
  }
  return false
}

import type { Conversion, Converter } from '../../mapping/converter.ts'
import type { Rule, Shape } from '../../mapping/shape.ts'
import { leavesOf, linesOf, pathTree, plant, segmentsOf } from './shape-lines.ts'

const SEGMENT = /^[A-Za-z_$][\w$-]*$/

/** Finds the mistakes of a shape and its inner shapes. Each line names the shape and the member. Empty if there are none. */
export function checkShape(shape: Shape, within = ''): readonly string[] {
  const at = within === '' ? shape.name : `${within} › ${shape.name}`
  const entries = Object.entries(shape.rules)
  return [
    ...entries.flatMap(([path, rule]) => checkRule(path, rule).map((problem) => `${at}, ${path}: ${problem}`)),
    ...Object.entries(shape.v1Only).flatMap(([path, reason]) => [
      ...(reason.trim() === '' ? [`${at}, ${path}: a member that only v1 has needs a reason`] : []),
      ...checkPath(path).map((problem) => `${at}, ${path}: ${problem}`),
    ]),
    ...checkPlaces(shape).map((problem) => `${at}, ${problem}`),
    ...entries.flatMap(([, rule]) => {
      const inner = rule.kind === 'field' && 'shape' in rule.value ? rule.value.shape : undefined
      return inner === undefined ? [] : checkShape(inner, at)
    }),
  ]
}

function checkRule(path: string, rule: Rule): readonly string[] {
  const problems = [...checkPath(path)]
  if (rule.kind === 'field' && rule.v1 !== undefined) problems.push(...checkPath(rule.v1))
  if (rule.basis.kind === 'assumed' && rule.basis.reason.trim() === '') problems.push('assumed without a reason')
  if (rule.kind === 'lost' && rule.reason.trim() === '') problems.push('lost without a reason')
  if (rule.kind !== 'lost' && rule.value.kind === 'converted') problems.push(...checkConverter(rule.value.by))
  return problems
}

function checkPath(path: string): readonly string[] {
  return segmentsOf(path).every((segment) => SEGMENT.test(segment)) ? [] : [`"${path}" is not a path of names and dots`]
}

/**
 * Checks that one line at most fills each place of either side, and that no line copies an object that another takes
 * apart.
 */
function checkPlaces(shape: Shape): readonly string[] {
  const problems: string[] = []
  const legacy = pathTree<string>()
  const v1 = pathTree<string>()
  for (const { source, target } of linesOf(shape, 'toLegacy')) {
    const path = target?.join('.') ?? ''
    if (target !== undefined && !plant(legacy, target, path))
      problems.push(`${path}: its legacy path overlaps that of another line`)
    if (source !== undefined && !plant(v1, source, path))
      problems.push(`${path}: v1's ${source.join('.')} is mapped twice`)
  }
  for (const path of Object.keys(shape.v1Only)) {
    if (!plant(v1, segmentsOf(path), path)) problems.push(`${path}: is under v1Only, but a line maps it`)
  }
  for (const [path, rule] of Object.entries(shape.rules)) {
    const sibling = rule.kind === 'context' && rule.source.from === 'reference' ? rule.source.sibling : undefined
    const node = sibling === undefined ? undefined : v1.children.get(sibling)
    if (sibling?.includes('.') === true || (node !== undefined && !('leaf' in node))) {
      problems.push(`${path}: its sibling ${sibling} is not a direct member of the record`)
    }
  }
  for (const [name, node] of legacy.children) {
    const same = v1.children.get(name)
    if (same !== undefined && !('leaf' in same) && !('leaf' in node)) {
      problems.push(`${leavesOf(node).join(' and ')}: both sides have an object ${name}: give it a shape of its own`)
    }
  }
  return problems
}

/** Unexpected values of all kinds. */
const ODD_VALUES = [
  ...['""', '"?"', '"\\u0041"', '"\\ud83d"', '"1.5"', '"null"', 'true', 'false'],
  ...['0', '-0', '-1', '1.5', '0.1E-7', '1e400', '12345678901234567890'],
]

/** Finds the mistakes of a converter: it must work both ways and accept any value. Empty if there are none. */
export function checkConverter(converter: Converter): readonly string[] {
  // A missing member is reported like any other mistake.
  const { says = '', samples = [], toLegacy, toV1 } = converter as Partial<Converter>
  const missing = [...(toLegacy === undefined ? ['toLegacy'] : []), ...(toV1 === undefined ? ['toV1'] : [])]
  if (toLegacy === undefined || toV1 === undefined) {
    return missing.map((name) => `the converter has no ${name}: it cannot be reversed`)
  }
  return [
    ...(says.trim() === '' ? ['the converter does not say what it changes'] : []),
    ...(samples.length === 0 ? ['the converter has no samples'] : []),
    ...samples.flatMap(({ legacy, v1 }) => [
      ...checkSample('toLegacy', toLegacy, v1, legacy),
      ...checkSample('toV1', toV1, legacy, v1),
    ]),
    ...checkOdd('toLegacy', toLegacy),
    ...checkOdd('toV1', toV1),
  ]
}

function checkSample(name: string, conversion: Conversion, input: string, expected: string): readonly string[] {
  if (!isJson(input)) return [`the sample ${input} is not JSON: a text needs its quotes`]
  if (/^\s*[n[{]/.test(input))
    return [`the sample ${input} never reaches a converter: null, objects and lists pass unchanged`]
  const outcome = attempt(conversion, input)
  if ('failure' in outcome) return [`${name} of the sample ${input} ${outcome.failure}`]
  const result =
    outcome.text === undefined
      ? `leaves the sample ${input} unchanged`
      : `turns the sample ${input} into ${outcome.text}`
  return (outcome.text ?? input) === expected ? [] : [`${name} ${result}, but should return ${expected}`]
}

/** Reports only the first odd value that fails. */
function checkOdd(name: string, conversion: Conversion): readonly string[] {
  for (const value of ODD_VALUES) {
    const outcome = attempt(conversion, value)
    if ('failure' in outcome)
      return [`${name} of ${value} ${outcome.failure}; it must return undefined for unknown values`]
  }
  return []
}

type Attempt = { readonly text: string | undefined } | { readonly failure: string }

function attempt(conversion: Conversion, value: string): Attempt {
  try {
    const text = conversion(value)
    return text === undefined || isJson(text) ? { text } : { failure: `returns ${text}, which is not JSON` }
  } catch (error) {
    return { failure: `fails with "${error instanceof Error ? error.message : String(error)}"` }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

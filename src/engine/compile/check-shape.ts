import type { ContextSource, FieldRule, Rule, Shape } from '../../mapping/shape.ts'
import { checkConverter, checkNamesInAnswer } from './check-converter.ts'
import { outerLines, type Step, scopeOf } from './scope.ts'
import { leavesOf, linesOf, pathTree, plant, segmentsOf } from './shape-lines.ts'

const SEGMENT = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*$/u

/** What a shape is used for. A request is only read from legacy to v1. */
export type ShapePart = 'request' | 'response'

/**
 * Finds the mistakes of a record's or row's shape and its inner shapes. Each line names the shape and the member. Empty if there are
 * none.
 */
export const checkShape = (shape: Shape, part: ShapePart): readonly string[] => checkScope(shape, part, '', 0)

/** `lists` is the number of lists around the scope. */
function checkScope(shape: Shape, part: ShapePart, within: string, lists: number): readonly string[] {
  return [...checkObject(shape, part, within, lists), ...(part === 'request' ? checkTargets(shape) : [])]
}

function checkObject(shape: Shape, part: ShapePart, within: string, lists: number): readonly string[] {
  const at = within === '' ? shape.name : `${within} › ${shape.name}`
  const entries = Object.entries(shape.rules)
  return [
    ...entries.flatMap(([path, rule]) =>
      checkRule(path, rule, part, lists).map((problem) => `${at}, ${path}: ${problem}`),
    ),
    ...Object.entries(shape.v1Only).flatMap(([path, reason]) => [
      ...(reason.trim() === '' ? [`${at}, ${path}: a member that only v1 has needs a reason`] : []),
      ...checkPath(path).map((problem) => `${at}, ${path}: ${problem}`),
    ]),
    ...checkPlaces(shape).map((problem) => `${at}, ${problem}`),
    ...entries.flatMap(([, rule]) => {
      if (rule.kind !== 'field' || !('shape' in rule.value)) return []
      return rule.value.kind === 'list'
        ? checkScope(rule.value.shape, part, at, lists + 1)
        : checkObject(rule.value.shape, part, at, lists)
    }),
  ]
}

function checkRule(path: string, rule: Rule, part: ShapePart, lists: number): readonly string[] {
  const problems = [...checkPath(path)]
  if (rule.basis.kind === 'assumed' && rule.basis.reason.trim() === '') problems.push('assumed without a reason')
  if (rule.kind === 'lost' && rule.reason.trim() === '') problems.push('lost without a reason')
  if (rule.kind === 'field') problems.push(...checkField(rule, part, lists))
  if (rule.kind === 'context') problems.push(...checkSource(rule.source, lists))
  if (rule.kind !== 'lost' && rule.value.kind === 'converted') problems.push(...checkConverter(rule.value.by))
  return problems
}

function checkField({ v1, anchor, absent, promised, value }: FieldRule, part: ShapePart, lists: number) {
  const problems = [...(v1 === undefined ? [] : checkPath(v1)), ...checkAnchor('inRow', anchor, lists)]
  if (absent !== undefined && absent !== 'null' && absent !== 'missing')
    problems.push(`ifAbsent shows ${JSON.stringify(absent)}; write 'null' or 'missing'`)
  if (absent !== undefined && promised !== undefined)
    problems.push(
      'promised and ifAbsent contradict each other: an answer without the member is malformed; leave one out',
    )
  if (value.kind !== 'converted') return problems
  if (part === 'response') return [...problems, ...checkNamesInAnswer(value.by)]
  if (value.by.oneWay === true)
    problems.push(`a request is sent to v1, and this cannot be undone: ${value.by.says}; use a converter that can`)
  return problems
}

function checkSource(source: ContextSource, lists: number): readonly string[] {
  if (source.from === 'constant') {
    if (source.json === 'null') return ["constant(null) is what lost('why') says: write that"]
    return typeof source.json === 'string' ? [] : ['constant(…) needs a JSON value: a text, a number or a list']
  }
  if (source.from !== 'join') return []
  const paths = source.parts.flatMap((part) => ('text' in part ? [] : [part]))
  if (paths.length === 0) return ['joined(…) needs at least one { path }; for a fixed text write constant(…)']
  return paths.flatMap(({ path, anchor }) => [...checkPath(path), ...checkAnchor(`${path} of joined`, anchor, lists)])
}

function checkAnchor(what: string, anchor: number | undefined, lists: number): readonly string[] {
  if (anchor === undefined || (Number.isInteger(anchor) && anchor >= 0 && anchor <= lists)) return []
  const right = lists === 0 ? 'it is in no list within the answer: write 0' : `write a whole number from 0 to ${lists}`
  return [`${what} counts ${anchor} lists outwards; ${right}`]
}

function checkPath(path: string): readonly string[] {
  return segmentsOf(path).every((segment) => SEGMENT.test(segment)) ? [] : [`"${path}" is not a path of names and dots`]
}

/**
 * Checks that one line at most fills each place of legacy, and that no line copies an object that another takes apart. Several lines
 * may read one member of v1.
 */
function checkPlaces(shape: Shape): readonly string[] {
  const problems: string[] = []
  const legacy = pathTree<string>()
  const v1 = pathTree<string>()
  for (const { rule, source, target } of linesOf(shape, 'toLegacy')) {
    const path = target?.join('.') ?? ''
    if (target !== undefined && !plant(legacy, target, path))
      problems.push(`${path}: its legacy path overlaps that of another line`)
    if (source !== undefined && !isAnchored(rule)) plant(v1, source, path)
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

const isAnchored = (rule: Rule): boolean => rule.kind === 'field' && rule.anchor !== undefined

/** Checks that one line at most fills each place of a v1 request: a record or row, with all objects within it. */
function checkTargets(shape: Shape): readonly string[] {
  const scope = scopeOf(shape)
  const lines = [
    ...scope.objects.slice(1).map(({ shape: { name }, legacy, v1 }) => ({ name, legacy, v1, isObject: true })),
    ...scope.lines.flatMap(({ object, legacy, v1 }) =>
      v1 === undefined ? [] : [{ name: object.shape.name, legacy, v1, isObject: false }],
    ),
    ...outerLines(scope).map(({ legacy, v1 }) => ({ name: shape.name, legacy, v1, isObject: false })),
  ].filter(({ v1 }) => v1.level === 0)
  return lines.flatMap((line, index) => {
    const other = lines.find(
      (one, at) =>
        one !== line &&
        isBeneath(line.v1.path, one.v1.path) &&
        (one.v1.path.length < line.v1.path.length || at < index) &&
        !(one.isObject && isBeneath(line.legacy, one.legacy)),
    )
    return other === undefined
      ? []
      : [
          `${line.name}, ${written(line.legacy)}: v1's ${written(line.v1.path)} is mapped twice: ${written(other.legacy)} is sent as ${written(other.v1.path)} too; leave one out`,
        ]
  })
}

const isBeneath = (path: readonly Step[], above: readonly Step[]): boolean =>
  above.every((step, index) => step === path[index])

const written = (path: readonly Step[]): string =>
  path
    .map((step) => (typeof step === 'string' ? step : '[]'))
    .join('.')
    .replaceAll('.[]', '[]')

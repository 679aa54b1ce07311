import { oncePer } from '../../mapping/once-per.ts'
import type { Operation, ResponseMapping } from '../../mapping/operation.ts'
import type { LineToSee, Showing } from '../coverage/line-to-see.ts'
import { type CoveredOperation, linesToSee } from '../coverage/lines-to-see.ts'
import { type SentRequest, sentMembers } from '../coverage/sent-members.ts'
import type { Kind, Where } from '../diff/difference.ts'
import { covers } from '../diff/path.ts'
import { mappingHash } from '../lineage.ts'
import type { IgnoreRule } from '../rollout/rollout.ts'
import { type Assumption, assumptionOf } from './assumption.ts'
import { type BodyLine, bodyLinesOf, linesAbout, type MappingLine } from './mapping-lines.ts'
import { v1PathOf } from './v1-path.ts'

/** What the mapping and the ignore rules lead us to expect of an operation's answers, looked up per difference. */
export interface Expectations {
  /** Tells versions of the mapping apart; see `mappingHash`. */
  readonly mapping: string
  /** What kind of answer a success is. */
  readonly response: ResponseMapping
  /** A call changes something. */
  readonly isWrite: boolean
  /** The v1 path of a difference, from the root of the v1 body; null for a status, and where v1 has nothing. */
  v1Path(where: Where): string | null
  /** The mapping line that a difference falls under; null: no line covers it. */
  line(where: Where): MappingLine | null
  /** The mapping lines that a difference falls under: several, where it concerns an object that has no line of its own. */
  linesAt(where: Where): readonly MappingLine[]
  /** Why a difference never counts: `loss: …`, `rule: …` or `wording`; null: it may count. */
  ignored(where: Where): string | null
  /** The assumed lines that a body can confirm or refute, in the mapping's order. */
  readonly assumptions: readonly Assumption[]
  /** The lines that calls are to show, in the mapping's order. */
  readonly toSee: readonly LineToSee[]
  /** Returns for which members of the request's lines a request has a value. */
  sentIn(request: SentRequest): Showing['isSent']
}

/** Error texts: people read them, in either wording. */
const WORDING = new Set(['message', 'violations[].message'])

/** Finds the first rule that covers a difference, however many there are. A status or a failure needs a rule of its kind. */
function ruleFinder(rules: readonly IgnoreRule[]): (where: Where) => IgnoreRule | undefined {
  const orders = new Map<string, number>()
  const keyOf = (kind: Kind | undefined, path: string): string => `${kind ?? ''} ${path}`
  for (const [order, { kind, path }] of rules.entries()) {
    if (!orders.has(keyOf(kind, path))) orders.set(keyOf(kind, path), order)
  }
  const longest = rules.reduce((most, { path }) => Math.max(most, path.length), 0)
  return ({ part, kind, path }) => {
    const kinds = part === 'status' ? [kind] : [kind, undefined]
    let first = rules.length
    // The place may be much deeper than any rule.
    for (let end = 0; end <= Math.min(path.length, longest); end++) {
      const above = path.slice(0, end)
      if (!covers(above, path)) continue
      for (const one of kinds) first = Math.min(first, orders.get(keyOf(one, above)) ?? first)
    }
    return rules[first]
  }
}

/** Prepares the lines of a mapping and the rules of the rollout file for looking up differences. */
export function expectationsOf(
  operation: Pick<Operation, 'id'> & CoveredOperation & Partial<Pick<Operation, 'effect'>>,
  lines: readonly MappingLine[],
  ignore: readonly IgnoreRule[] = [],
): Expectations {
  const { bodies, about, assumptions } = preparedLines(lines)
  const ruleFor = ruleFinder(ignore.filter((rule) => rule.operation === operation.id || rule.operation === '*'))
  const linesAt = ({ part, path }: Where): readonly BodyLine[] => (part === 'status' ? [] : about[part].at(path))
  const lineOf = (where: Where): BodyLine | undefined => linesAt(where)[0]
  const isLost = (line: BodyLine | undefined, { path }: Where): line is BodyLine =>
    line?.change === 'lost' && covers(line.legacy, path)
  return {
    mapping: mappingHash(operation),
    response: operation.response,
    isWrite: operation.effect === 'write',
    v1Path: ({ part, path }) => (part === 'status' ? null : v1PathOf(bodies[part], part, path)),
    line: (where) => lineOf(where) ?? null,
    linesAt,
    ignored(where) {
      const line = lineOf(where)
      if (isLost(line, where)) return `loss: ${line.reason ?? ''}`
      const rule = ruleFor(where)
      if (rule !== undefined) return `rule: ${rule.why}`
      return where.part === 'error' && where.kind === 'changed' && WORDING.has(where.path) ? 'wording' : null
    },
    assumptions,
    toSee: linesToSee(operation, lines),
    sentIn: (request) => sentMembers(operation.request ?? { kind: 'pass-through' }, request),
  }
}

/** What does not depend on the rules of the rollout file. */
const preparedLines = oncePer((lines: readonly MappingLine[]) => {
  const bodies = { answer: bodyLinesOf(lines, 'answer'), error: bodyLinesOf(lines, 'error') }
  const about = { answer: linesAbout(bodies.answer), error: linesAbout(bodies.error) }
  const assumptions = (['answer', 'error'] as const).flatMap((part) =>
    bodies[part].filter(({ basis }) => basis === 'assumed').map((line) => assumptionOf(part, line, about[part])),
  )
  return { bodies, about, assumptions }
})

/** Prepares the expectations of all operations, by id, and again whenever the rules of the rollout file have changed. */
export function expectationsByOperation(
  operations: readonly { readonly mapping: Operation; readonly lines: readonly MappingLine[] }[],
  rules: () => readonly IgnoreRule[],
): () => ReadonlyMap<string, Expectations> {
  const prepare = (ignore: readonly IgnoreRule[]): ReadonlyMap<string, Expectations> =>
    new Map(operations.map(({ mapping, lines }) => [mapping.id, expectationsOf(mapping, lines, ignore)]))
  let preparedFor = rules()
  let prepared = prepare(preparedFor)
  return () => {
    if (preparedFor !== rules()) {
      preparedFor = rules()
      prepared = prepare(preparedFor)
    }
    return prepared
  }
}

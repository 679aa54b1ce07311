import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import { oncePer } from '../../../mapping/once-per.ts'
import { type Operation, parametersOf, type ResponseMapping } from '../../../mapping/operation.ts'
import type { RequestMapping } from '../../../mapping/request.ts'
import type { LineToSee } from '../coverage/lines-to-see.ts'
import { type CoveredOperation, linesToSee } from '../coverage/lines-to-see.ts'
import { type NotSent, notSent } from '../coverage/not-sent.ts'
import { inputReader, type SentRequest, sentMembers } from '../coverage/sent-request.ts'
import type { Budget } from '../diff/budget.ts'
import { changesOf, type Difference, isBody, isNumberForm, type Where } from '../diff/difference.ts'
import { covers } from '../diff/path.ts'
import { mappingHash } from '../lineage.ts'
import type { IgnoreRule } from './ignore-rule.ts'
import { ruleFinder } from './ignore-rule.ts'
import { type KnownCall, type Leniency, leniencyOf, wideningReader } from './leniency.ts'
import {
  type Assumption,
  assumptionOf,
  type BodyLine,
  bodyLinesOf,
  linesAbout,
  type MappingLine,
  v1PathOf,
} from './mapping-lines.ts'

/** What the mapping and the ignore rules say about an operation's answers, looked up per difference. */
export interface Expectations {
  /** A hash that tells versions of the mapping apart; see `mappingHash`. */
  readonly mapping: string
  /** What kind of answer a success is. */
  readonly response: ResponseMapping
  /** Whether a call changes something. */
  readonly isWrite: boolean
  /** Whether a call exchanges credentials for a token. */
  readonly isLogin: boolean
  /** Whether v1 needs a token, so that clients may get different answers to the same request. */
  readonly isByToken: boolean
  /** The v1 path of a difference, from the root of the v1 body; null for a status or header, and where v1 has nothing. */
  v1Path(where: Where): string | null
  /** The mapping line that a difference falls under; null: no line covers it. */
  line(where: Where): MappingLine | null
  /** The mapping lines that a difference falls under: several, if it concerns an object that has no line of its own. */
  linesAt(where: Where): readonly MappingLine[]
  /** Why a difference never counts: `loss: …`, `widening: …`, `rule: …`, `wording` or `number form`; null: it may count. */
  ignored(where: Where): string | null
  /** What rules and the mapping allow while the answers to a call are compared; undefined: nothing. */
  leniency(call: KnownCall): Leniency | undefined
  /** The assumed lines that a body can confirm or refute, in the mapping's order. */
  readonly assumptions: readonly Assumption[]
  /** The lines to be seen, in the mapping's order. */
  readonly toSee: readonly LineToSee[]
  /** Returns a text that is equal for requests that differ only in what the mapping ignores. */
  inputOf(request: ExchangeRequest): string
  /** Returns what a request has and v1 does not get. */
  notSentIn(request: SentRequest, budget: Budget): readonly NotSent[]
  /** Returns the members of the mapping's lines that a request has a value for, in the mapping's order; see `sentMembers`. */
  sentBy(request: SentRequest): readonly string[]
}

/** Error texts, which people read, so their wording may differ. */
const WORDING = new Set(['message', 'violations[].message'])

/**
 * Returns why no change of a difference counts; null: one may count.
 * @param sent the members that the request sends; undefined: unknown.
 */
export function whyIgnored(
  { ignored }: Pick<Expectations, 'ignored'>,
  difference: Difference,
  sent: readonly string[] | undefined,
): string | null {
  const { part, kind, path, standing, excusedBy, isPure, widenedBy } = difference
  if (standing === 'drift') return 'drift'
  if (standing === 'excused') return ignored({ part, kind, path, excusedBy })
  const reasons = changesOf(difference).map((detail) => ignored({ part, kind, path, detail, isPure, widenedBy, sent }))
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}

/**
 * Prepares the lines of a mapping and the rules of the rollout file for looking up differences.
 * @param now returns the time, by which rules end, in ms since the epoch.
 */
export function expectationsOf(
  operation: Pick<Operation, 'id'> & CoveredOperation & Partial<Pick<Operation, 'effect' | 'authorization' | 'login'>>,
  lines: readonly MappingLine[],
  ignore: readonly IgnoreRule[] = [],
  now: () => number = Date.now,
): Expectations {
  const { bodies, about, assumptions } = preparedLines(lines)
  const { request = PASSED_THROUGH } = operation
  const rules = ignore.filter((rule) => rule.operation === operation.id || rule.operation === '*')
  const ruleFor = ruleFinder(rules, now)
  const linesAt = ({ part, path }: Where): readonly BodyLine[] => (isBody(part) ? about[part].at(path) : [])
  const lineOf = (where: Where): BodyLine | undefined => linesAt(where)[0]
  const isLost = (line: BodyLine | undefined, { path }: Where): line is BodyLine =>
    line?.change === 'lost' && covers(line.legacy, path)
  const toSee = linesToSee(operation, lines)
  const members = toSee.flatMap(({ part, legacy }) => (part === 'request' ? [legacy] : []))
  const widenedIn = wideningReader(request)
  const parameters = parametersOf(request)
  const wideningOf = ({ widenedBy }: Where): string | undefined =>
    widenedBy !== undefined && Object.hasOwn(parameters, widenedBy) ? parameters[widenedBy]?.widened?.reason : undefined
  return {
    mapping: mappingHash(operation),
    response: operation.response,
    isWrite: operation.effect === 'write',
    isLogin: operation.login !== undefined,
    isByToken: operation.authorization === 'token',
    v1Path: ({ part, kind, path }) => (isBody(part) ? v1PathOf(bodies[part], { part, kind, path }) : null),
    line: (where) => lineOf(where) ?? null,
    linesAt,
    ignored(where) {
      if (where.excusedBy !== undefined) return `rule: ${where.excusedBy}`
      const line = lineOf(where)
      if (isLost(line, where)) return `loss: ${line.reason ?? ''}`
      const widening = wideningOf(where)
      if (widening !== undefined) return `widening: ${where.widenedBy}: in v1, ${widening}`
      const rule = ruleFor(where)
      if (rule !== undefined) return `rule: ${rule.why}`
      if (isNumberForm(where)) return 'number form'
      return where.part === 'error' && where.kind === 'changed' && WORDING.has(where.path) ? 'wording' : null
    },
    leniency: (call) => leniencyOf(rules, call, call.request && widenedIn(call.request), now()),
    assumptions,
    toSee,
    inputOf: inputReader(request),
    notSentIn: (sent, budget) => notSent(request, sent, budget),
    sentBy(sent) {
      const isSent = sentMembers(request, sent)
      return members.filter(isSent)
    },
  }
}

const PASSED_THROUGH: RequestMapping = { kind: 'pass-through' }

/** What does not depend on the rules of the rollout file. */
const preparedLines = oncePer((lines: readonly MappingLine[]) => {
  const bodies = { answer: bodyLinesOf(lines, 'answer'), error: bodyLinesOf(lines, 'error') }
  const about = { answer: linesAbout(bodies.answer), error: linesAbout(bodies.error) }
  const assumptions = (['answer', 'error'] as const).flatMap((part) =>
    bodies[part].filter(({ basis }) => basis === 'assumed').map((line) => assumptionOf(part, line, about[part])),
  )
  return { bodies, about, assumptions }
})

/**
 * Prepares the expectations of all operations, by id. Prepares them again whenever the rules of the rollout file or the mappings have
 * changed.
 * @param operations returns the mappings with their lines: another array when one has changed.
 */
export function expectationsByOperation(
  operations: () => readonly { readonly mapping: Operation; readonly lines: readonly MappingLine[] }[],
  rules: () => readonly IgnoreRule[],
): () => ReadonlyMap<string, Expectations> {
  const prepare = () => {
    const [mapped, ignore] = [operations(), rules()]
    const byId = new Map(mapped.map(({ mapping, lines }) => [mapping.id, expectationsOf(mapping, lines, ignore)]))
    return { mapped, ignore, byId }
  }
  let prepared = prepare()
  return () => {
    if (prepared.ignore !== rules() || prepared.mapped !== operations()) prepared = prepare()
    return prepared.byId
  }
}

import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import type { Type } from '../../../mapping/converter.ts'
import { timestampConverter } from '../../../mapping/converter.ts'
import type { ResponseMapping } from '../../../mapping/operation.ts'
import type { FieldRule } from '../../../mapping/shape.ts'
import type { Asked } from '../compare-answers.ts'
import { Budget, NO_LIMIT, TooCostly } from '../diff/budget.ts'
import { type ExactNumber, isWhole } from '../diff/decimal.ts'
import { diff } from '../diff/diff.ts'
import { type Answer, type Comparison, type Difference, Findings, joined } from '../diff/difference.ts'
import { type JsonValue, typeOf } from '../diff/json-value.ts'
import { itemsPath } from '../diff/path.ts'
import { type Expectations, whyIgnored } from '../expected/expectations.ts'
import type { Leniency } from '../expected/leniency.ts'
import { hashesOf, type Observation, skipped, stratumOf, unjudged } from '../observation.ts'
import { controlFailed, isFailure, type ReadAnswer, type Reply, readReply } from '../reply.ts'
import { requestFeatures } from '../tally/circumstances.ts'
import { droppedMembers } from './dropped-members.ts'
import { type Member, walkItems, walkShape } from './walk-shape.ts'

/** How the gateway would translate a write, without sending it. */
export interface WriteTranslation {
  /** Returns the status with which the gateway itself would refuse a request; null: it would send the request to v1. */
  refusal(request: ExchangeRequest): number | null
  /**
   * Translates the body of a legacy success to v1's shape and back. Throws if the body does not fit the mapping. Undefined: the
   * mapping does not describe the body.
   */
  readonly roundTrip: ((legacy: Uint8Array) => Uint8Array) | undefined
}

/** A write that the legacy service has answered. */
export interface AnsweredWrite
  extends Pick<
    Asked,
    'operation' | 'expectations' | 'input' | 'client' | 'at' | 'rolloutClient' | 'countedClient' | 'facts'
  > {
  readonly request: ExchangeRequest
  readonly answer: Reply
  /** How much processor time the check may take; ms. */
  readonly budgetMs: number
}

/** Why writes are skipped: none is sent a second time. One that legacy refused has nothing to check. */
const SKIPPED = 'write'
const CHECKED = 'write, checked without sending it'

/**
 * Checks a write without sending it: whether the gateway would have refused a request that legacy accepted, which members of the
 * request v1 would not have got, and whether legacy's answer survives the round trip to v1's shape and back (docs/decisions/0066).
 * The write is skipped unless a difference counts. It proves nothing about v1, so it is counted apart from what does.
 */
export function checkWrite(write: AnsweredWrite, translation: WriteTranslation): Observation {
  const { operation, expectations, answer } = write
  if (answer.status === undefined || answer.status >= 400) return skipped(operation, SKIPPED)
  const control = readReply(answer, expectations)
  if (isFailure(control)) return unjudged(operation, controlFailed(control))
  try {
    return checked(write, withoutHeaders(control), translation, new Budget(write.budgetMs))
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return unjudged(operation, 'too costly')
  }
}

/** v1 was not asked, so there are no headers to compare with. */
const withoutHeaders = ({ headers: _, ...answer }: ReadAnswer): ReadAnswer => answer

function checked(
  { operation, expectations, answer, request, ...asked }: AnsweredWrite,
  control: ReadAnswer,
  translation: WriteTranslation,
  budget: Budget,
): Observation {
  const sent = expectations.sentBy(request)
  const leniency = expectations.leniency({ client: asked.rolloutClient, sent, request })
  const trip = translation.roundTrip && roundTripOf(control, translation.roundTrip, expectations, budget)
  const notSent = expectations.notSentIn(request, budget)
  const { differences, examples } = joined(
    refusedWith(translation.refusal(request), control, leniency),
    trip ?? NOTHING,
    droppedMembers(notSent, leniency),
  )
  const shown = {
    notSent,
    ...hashesOf(asked),
    shownBy: {
      client: asked.countedClient,
      features: requestFeatures({ request, facts: asked.facts, coverage: [], notSent }),
      malformed: undefined,
    },
    writes: {
      isTaken: trip !== undefined,
      dropped: notSent.flatMap(({ part, legacy }) => (part === 'other' ? [] : [legacy])),
    },
    releases: { v1: undefined, legacy: answer.release },
  }
  const counts = differences.map((difference) => whyIgnored(expectations, difference, sent) === null)
  const write = { ...skipped(operation, CHECKED), ...shown, differences, examples, counts, sent }
  if (!counts.includes(true)) return write
  return {
    ...write,
    ...{ outcome: 'mismatched', reason: null },
    stratum: stratumOf({ status: control.status, json: control.read.json }, expectations.response),
  }
}

const NOTHING: Comparison = { differences: [], examples: [] }

/**
 * Compares a legacy success with its translation to v1's shape and back, and its members with the types in their lines. Leaves
 * out members that are filled in from elsewhere, which make no round trip.
 */
function roundTripOf(
  control: ReadAnswer,
  roundTrip: (legacy: Uint8Array) => Uint8Array,
  expectations: Expectations,
  budget: Budget,
): Comparison {
  const { response } = expectations
  const { json } = control.read
  const types = json === undefined ? undefined : typeFindings(response, json, budget)
  const status = 'status' in response ? response.status : control.status
  const body = bodyAfter(control, roundTrip)
  const trip = body === undefined ? lostOnTheWay(types) : diff(control, { status, body }, undefined, budget)
  return marked([...(types === undefined ? [] : [types]), trip], expectations)
}

/** Compares a refusal of the gateway with legacy's success; null: it would not refuse. */
function refusedWith(status: number | null, control: ReadAnswer, leniency: Leniency | undefined): Comparison {
  if (status === null) return NOTHING
  return diff(control, { status, body: new Uint8Array() }, undefined, NO_LIMIT, leniency)
}

function bodyAfter({ body }: Answer, roundTrip: (legacy: Uint8Array) => Uint8Array): Uint8Array | undefined {
  try {
    return roundTrip(body)
  } catch {
    // The gateway would refuse such an answer of v1 as malformed.
    return undefined
  }
}

/** A body that cannot make the round trip is a failure, unless its types already explain why. */
function lostOnTheWay(types: Comparison | undefined): Comparison {
  const findings = new Findings('status')
  if ((types?.differences.length ?? 0) === 0) findings.add({ kind: 'failure', path: '', detail: 'malformed' })
  return findings.comparison()
}

/** Joins comparisons, each kind and place once, and marks their differences as coming from the round trip. */
function marked(comparisons: readonly Comparison[], expectations: Expectations): Comparison {
  const found = new Map<string, readonly [Difference, Comparison['examples'][number]]>()
  for (const { differences, examples } of comparisons) {
    for (const [index, difference] of differences.entries()) {
      const key = `${difference.kind} ${difference.path}`
      const example = examples[index]
      const isFilledIn = expectations.line(difference)?.change === 'filled in'
      if (example === undefined || isFilledIn || found.has(key)) continue
      found.set(key, [{ ...difference, from: 'round trip' }, example])
    }
  }
  const all = [...found.values()]
  return { differences: all.map(([difference]) => difference), examples: all.map(([, example]) => example) }
}

/** Finds the members of a legacy success whose type is not the one in their lines: `string → integer`. */
function typeFindings(response: ResponseMapping, json: JsonValue, budget: Budget): Comparison {
  const findings = new Findings('answer')
  const check = ({ path, value, rule }: Member): void => {
    if (rule?.kind === 'field' && !(value === null && rule.nullable)) addUnlessOf(findings, path, value, typeIn(rule))
  }
  if (response.kind === 'record') {
    addUnlessOf(findings, '', json, 'object')
    walkShape(response.shape, json, '', budget, check)
  }
  if (response.kind === 'list') {
    addUnlessOf(findings, '', json, 'array')
    walkItems(response.shape, json, '', budget, check)
  }
  return findings.comparison()
}

const typeIn = ({ type, value }: FieldRule): Type | undefined =>
  value.kind === 'converted' && value.by === timestampConverter ? 'timestamp' : type

function addUnlessOf(findings: Findings, path: string, value: JsonValue, type: Type | undefined): void {
  if (type === undefined) return
  if (type === 'array of string') {
    addUnlessOf(findings, path, value, 'array')
    if (!Array.isArray(value)) return
    for (const item of value as readonly JsonValue[]) addUnlessOf(findings, itemsPath(path), item, 'string')
    return
  }
  if (isOf(value, type)) return
  const is = type === 'int' && isNumber(value) ? 'fraction' : typeOf(value)
  findings.add({ kind: 'type', path, control: value, detail: `${is} → ${NAMES[type]}` })
}

/** The types as the details of other differences name them. */
const NAMES: Readonly<Record<Exclude<Type, 'array of string'>, string>> = {
  ...{ int: 'integer', number: 'number', string: 'string', bool: 'boolean' },
  ...{ timestamp: 'timestamp', object: 'object', array: 'array' },
}

const isNumber = (value: JsonValue): value is number | ExactNumber => typeOf(value) === 'number'

function isOf(value: JsonValue, type: Exclude<Type, 'array of string'>): boolean {
  const is = typeOf(value)
  if (type === 'int') return isNumber(value) && isWhole(value)
  if (type === 'timestamp') return is === 'string' && timestampConverter.toV1(JSON.stringify(value)) !== undefined
  return is === NAMES[type]
}

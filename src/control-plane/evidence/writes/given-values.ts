import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import { timestampConverter } from '../../../mapping/converter.ts'
import { oncePer } from '../../../mapping/once-per.ts'
import { type Operation, parametersOf, type ResponseMapping } from '../../../mapping/operation.ts'
import type { Rule, Shape } from '../../../mapping/shape.ts'
import { ExactNumber } from '../diff/decimal.ts'
import { isObject, type JsonObject, type JsonValue, readBody, typeOf } from '../diff/json-value.ts'
import type { ReadAnswer, Reply } from '../reply.ts'

/** Returns the replacement for a value that the service gave; `other` is the value at the same place of another answer. */
type Replace = (what: string, value: JsonValue, other: JsonValue | undefined) => JsonValue

/**
 * Returns a legacy success with the values replaced whose lines are marked as given by the service (`givenByService`). Items of
 * two lists are at the same place if they have the same index.
 */
export function replaceGiven(
  response: ResponseMapping,
  json: JsonValue,
  other: JsonValue | undefined,
  replace: Replace,
): JsonValue {
  switch (response.kind) {
    case 'record':
      return inObject(response.shape, json, other, replace)
    case 'list':
    case 'whole-list':
      return inItems(response.shape, json, other, replace)
    case 'page': {
      const { at, shape } = response.rows
      if (!isObject(json) || !Object.hasOwn(json, at)) return json
      return { ...json, [at]: inItems(shape, json[at] ?? null, memberOf(other, at), replace) }
    }
    case 'no-content':
    case 'pass-through':
      return json
  }
}

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

function inItems(shape: Shape, json: JsonValue, other: JsonValue | undefined, replace: Replace): JsonValue {
  if (!Array.isArray(json)) return json
  const others: readonly JsonValue[] = Array.isArray(other) ? other : []
  return json.map((item: JsonValue, index) => inObject(shape, item, others[index], replace))
}

function inObject(shape: Shape, json: JsonValue, other: JsonValue | undefined, replace: Replace): JsonValue {
  return Object.entries(shape.rules).reduce(
    (value, [path, rule]) => (givenBy(rule).length > 0 ? atPath(path.split('.'), rule, value, other, replace) : value),
    json,
  )
}

function atPath(
  [name = '', ...rest]: readonly string[],
  rule: Rule,
  json: JsonValue,
  other: JsonValue | undefined,
  replace: Replace,
): JsonValue {
  if (!isObject(json) || !Object.hasOwn(json, name)) return json
  const value = json[name] ?? null
  const beside = memberOf(other, name)
  const after = rest.length > 0 ? atPath(rest, rule, value, beside, replace) : inMember(rule, value, beside, replace)
  return after === value ? json : withMember(json, name, after)
}

/** Keeps the order of members, and treats `__proto__` like any other member. */
const withMember = (object: JsonObject, name: string, value: JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, was]) => [key, key === name ? value : was]))

function inMember(rule: Rule, value: JsonValue, other: JsonValue | undefined, replace: Replace): JsonValue {
  if (rule.kind !== 'field') return value
  if (rule.givenByService !== undefined) return replace(rule.givenByService, value, other)
  if (rule.value.kind === 'object') return inObject(rule.value.shape, value, other, replace)
  return rule.value.kind === 'list' ? inItems(rule.value.shape, value, other, replace) : value
}

/** Returns the kinds of given values that a line and those within it mark. */
function givenBy(rule: Rule): readonly string[] {
  if (rule.kind !== 'field') return []
  if (rule.givenByService !== undefined) return [rule.givenByService]
  return 'shape' in rule.value ? givenIn(rule.value.shape) : []
}

const givenIn = oncePer((shape: Shape): readonly string[] => Object.values(shape.rules).flatMap(givenBy))

/** Returns a text or a whole number as a request may write it, without quotes; undefined: it is neither. */
export function textOfGiven(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined
  const exact = value instanceof ExactNumber ? /^(-?\d+)e(\d{1,2})$/.exec(value.text) : null
  return exact === null ? undefined : `${exact[1]}${'0'.repeat(Number(exact[2]))}`
}

type Side = 'control' | 'candidate'

/** Returns the replacement for a value of the kind `what` that a service gave; undefined: the value is unknown. */
type LookUpGiven = (what: string, value: string) => string | undefined

/** The parts of an operation that use or show values given by the services. */
interface GivingOperation {
  readonly isWrite: boolean
  readonly response: ResponseMapping
  /** Replaces such values in a request. Undefined: no line of the operation takes one. */
  readonly rewrite: ((request: ExchangeRequest, lookUp: LookUpGiven) => ExchangeRequest) | undefined
}

/** The values that two copies of the service gave, for one operation. Their ids differ, and later requests use them (docs/decisions/0066). */
export interface Given {
  /** Returns the request for a side, with the values that this side gave in place of the recorded ones. */
  requestFor(side: Side, request: ExchangeRequest): ExchangeRequest
  /**
   * Learns the values that both sides gave in a write. Later requests hold the values of the recorded answer if it is values, else
   * the control's.
   */
  learn(recorded: Uint8Array | undefined, control: Reply, candidate: Reply): void
  /** Returns the candidate's answer with the control's values wherever both gave a value of the same kind. */
  matched(control: ReadAnswer, candidate: ReadAnswer): ReadAnswer
}

/** The most values that are remembered; the oldest are forgotten first. */
const MOST = 100_000

/**
 * Opens a book of the values that two copies of the service give. Returns a function that opens it for an operation.
 * @param used the kinds of values that are used again; others are not remembered.
 */
export function givenBook(used: ReadonlySet<string>): (operation: GivingOperation) => Given {
  /** The values that each side gave, by the values in recorded requests. */
  const inRequests = { control: new Map<string, JsonValue>(), candidate: new Map<string, JsonValue>() }
  /** The values that the control gave, by the candidate's. */
  const inAnswers = new Map<string, JsonValue>()

  const keyOf = (what: string, value: JsonValue): string | undefined => {
    const text = used.has(what) ? textOfGiven(value) : undefined
    return text === undefined ? undefined : `${what}\n${text}`
  }
  const note = (
    response: ResponseMapping,
    from: JsonValue,
    to: JsonValue | undefined,
    values: Map<string, JsonValue>,
  ) => {
    replaceGiven(response, from, to, (what, value, given) => {
      const key = keyOf(what, value)
      if (key !== undefined && given !== undefined) keep(values, key, given)
      return value
    })
  }

  return ({ isWrite, response, rewrite }) => ({
    requestFor(side, request) {
      const values = inRequests[side]
      if (rewrite === undefined || values.size === 0) return request
      return rewrite(request, (what, value) => textOfGiven(values.get(keyOf(what, value) ?? '')))
    },
    learn(recorded, control, candidate) {
      if (!isWrite) return
      const [was, is] = [successOf(control), successOf(candidate)]
      const original = recorded === undefined ? was : readBody(recorded).json
      if (original !== undefined) {
        note(response, original, was, inRequests.control)
        note(response, original, is, inRequests.candidate)
      }
      if (is !== undefined) note(response, is, was, inAnswers)
    },
    matched(control, candidate) {
      if (isWrite) return withControlsValues(response, control, candidate)
      return withReplaced(
        response,
        control,
        candidate,
        (what, value) => inAnswers.get(keyOf(what, value) ?? '') ?? value,
      )
    },
  })
}

/** Returns a candidate's answer to a write with the control's values wherever both gave a value of the same kind. */
export const withControlsValues = (response: ResponseMapping, control: ReadAnswer, candidate: ReadAnswer): ReadAnswer =>
  withReplaced(response, control, candidate, (_, value, other) =>
    other !== undefined && isOfOneKind(value, other) ? other : value,
  )

/** Replaces the given values of the candidate's answer, if both sides answered with the same success. */
function withReplaced(
  response: ResponseMapping,
  control: ReadAnswer,
  candidate: ReadAnswer,
  replace: Replace,
): ReadAnswer {
  const [was, is] = [control.read.json, candidate.read.json]
  const isSuccess = control.status === candidate.status && control.status < 400
  if (!isSuccess || was === undefined || is === undefined) return candidate
  const json = replaceGiven(response, is, was, replace)
  return json === is ? candidate : { ...candidate, read: { json } }
}

function keep(values: Map<string, JsonValue>, key: string, value: JsonValue): void {
  values.delete(key)
  values.set(key, value)
  if (values.size <= MOST) return
  const [oldest = ''] = values.keys()
  values.delete(oldest)
}

/** Returns the body of a success, as values; undefined: it is none, or no JSON. */
export const successOf = (reply: Reply): JsonValue | undefined =>
  reply.status === undefined || reply.failure !== undefined || reply.status >= 400
    ? undefined
    : readBody(reply.body).json

/** Whether two given values are both whole numbers, both decimals, both times, or both texts that are not empty. */
function isOfOneKind(one: JsonValue, other: JsonValue): boolean {
  const type = typeOf(one)
  if (type !== typeOf(other)) return false
  if (type === 'number') return isWhole(one) === isWhole(other)
  return type === 'string' && isTime(one) === isTime(other) && (one === '') === (other === '')
}

const isWhole = (value: JsonValue): boolean => textOfGiven(value) !== undefined

const isTime = (value: JsonValue): boolean =>
  typeof value === 'string' && timestampConverter.toV1(JSON.stringify(value)) !== undefined

/** Returns the kinds of given values that are used again: requests take them, or answers other than those to writes show them. */
export function usedGiven(
  operations: readonly Pick<Operation, 'request' | 'response' | 'effect'>[],
): ReadonlySet<string> {
  return new Set(
    operations.flatMap(({ request, response, effect }) => [
      ...takenBy(request),
      ...(effect === 'write' ? [] : shapesOf(response).flatMap(givenIn)),
    ]),
  )
}

/** Returns the kinds of values that writes give, and requests take. */
export function passedOn(
  operations: readonly Pick<Operation, 'request' | 'response' | 'effect'>[],
): ReadonlySet<string> {
  const given = operations.flatMap(({ response, effect }) =>
    effect === 'write' ? shapesOf(response).flatMap(givenIn) : [],
  )
  const taken = new Set(operations.flatMap(({ request }) => takenBy(request)))
  return new Set(given.filter((what) => taken.has(what)))
}

const takenBy = (request: Operation['request']): readonly string[] => [
  ...(request.kind === 'body' ? givenIn(request.shape) : []),
  ...Object.values(parametersOf(request)).flatMap(({ givenByService: what }) => what ?? []),
]

function shapesOf(response: Operation['response']): readonly Shape[] {
  if (response.kind === 'page') return [response.rows.shape]
  return 'shape' in response ? [response.shape] : []
}

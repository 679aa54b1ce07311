import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { timestampConverter } from '../../mapping/converter.ts'
import type { ResponseMapping } from '../../mapping/operation.ts'
import { type JsonValue, readBody, typeOf } from '../diff/json-value.ts'
import type { ReadAnswer, Reply } from '../read-reply.ts'
import { replaceGiven, textOfGiven } from './given-values.ts'

type Side = 'control' | 'candidate'

/** Returns the replacement for a value of the kind `what` that a service gave; undefined: the value is unknown. */
export type LookUpGiven = (what: string, value: string) => string | undefined

/** The parts of an operation that use or show values given by the services. */
export interface GivingOperation {
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
   * Learns the values that both sides gave in a write. Later requests hold the values of the recorded answer if it is known, else
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
    known: Map<string, JsonValue>,
  ) => {
    replaceGiven(response, from, to, (what, value, given) => {
      const key = keyOf(what, value)
      if (key !== undefined && given !== undefined) keep(known, key, given)
      return value
    })
  }

  return ({ isWrite, response, rewrite }) => ({
    requestFor(side, request) {
      const known = inRequests[side]
      if (rewrite === undefined || known.size === 0) return request
      return rewrite(request, (what, value) => textOfGiven(known.get(keyOf(what, value) ?? '')))
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
      const [was, is] = [control.read.json, candidate.read.json]
      const isSuccess = control.status === candidate.status && control.status < 400
      if (!isSuccess || was === undefined || is === undefined) return candidate
      const json = replaceGiven(response, is, was, (what, value, other) => {
        if (isWrite) return other !== undefined && isOfOneKind(value, other) ? other : value
        return inAnswers.get(keyOf(what, value) ?? '') ?? value
      })
      return json === is ? candidate : { ...candidate, read: { json } }
    },
  })
}

function keep(known: Map<string, JsonValue>, key: string, value: JsonValue): void {
  known.delete(key)
  known.set(key, value)
  if (known.size <= MOST) return
  const [oldest = ''] = known.keys()
  known.delete(oldest)
}

const successOf = (reply: Reply): JsonValue | undefined =>
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

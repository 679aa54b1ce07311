import { givenRewriter } from '../../../engine/rewrite-given.ts'
import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import { oncePer } from '../../../mapping/once-per.ts'
import type { Operation } from '../../../mapping/operation.ts'
import type { Reply } from '../reply.ts'
import { passedOn, replaceGiven, successOf, textOfGiven } from './given-values.ts'

type GivingOperation = Pick<Operation, 'request' | 'response'>

/**
 * The values that legacy and the copy of v1 gave in the same writes, by client: legacy's shipment 17 is the copy's 4. A client's later
 * requests name legacy's.
 */
export interface CopyPairs {
  /**
   * Returns a client's request with the copy's values in place of legacy's. Undefined: it names a value that the copy has not given, or
   * not to this client.
   */
  requestFor(client: string, operation: GivingOperation, request: ExchangeRequest): ExchangeRequest | undefined
  /** Notes the values that both gave in a client's write; none, unless both carried it out. */
  learn(client: string, operation: GivingOperation, legacy: Reply, copy: Reply): void
}

/** The most pairs that are kept; the oldest are forgotten first. */
const MOST = 10_000

/** What no service gives: nothing, 0, and what is neither a number nor a text. */
const NO_REFERENCE = /^(?:null|true|false|0|)$|^[[{]/

const rewriterOf = oncePer(givenRewriter)

/** Opens a book of pairs, in memory. @param operations the mappings, whose kinds of given values never change. */
export function copyPairs(
  operations: readonly Pick<Operation, 'request' | 'response' | 'effect'>[],
  most = MOST,
): CopyPairs {
  const kinds = passedOn(operations)
  const pairs = new Map<string, string>()
  const keyOf = (client: string, what: string, value: string): string => `${what}\n${value}\n${client}`

  return {
    requestFor(client, operation, request) {
      const rewrite = rewriterOf(operation)
      // The gateway refuses what it cannot read, without asking the copy.
      if (rewrite === undefined || request.asSent?.refused !== undefined) return request
      let isUnknown = false
      const rewritten = rewrite(request, (what, value) => {
        if (!kinds.has(what) || NO_REFERENCE.test(value)) return undefined
        const given = pairs.get(keyOf(client, what, value))
        isUnknown ||= given === undefined
        return given
      })
      return isUnknown ? undefined : { ...request, ...rewritten, asSent: undefined }
    },
    learn(client, { response }, legacy, copy) {
      const [was, is] = [successOf(legacy), successOf(copy)]
      if (was === undefined || is === undefined) return
      replaceGiven(response, was, is, (what, value, other) => {
        const [from, to] = kinds.has(what) ? [textOfGiven(value), textOfGiven(other)] : []
        if (from !== undefined && to !== undefined) keep(keyOf(client, what, from), to)
        return value
      })
    },
  }

  function keep(key: string, value: string): void {
    pairs.delete(key)
    pairs.set(key, value)
    if (pairs.size <= most) return
    const [oldest = ''] = pairs.keys()
    pairs.delete(oldest)
  }
}

import { hash } from 'node:crypto'
import type { Exchange } from '../exchange/exchange.ts'
import { NO_LIMIT } from './diff/budget.ts'
import type { Expectations } from './expected/expectations.ts'
import { languageOf } from './reply-of.ts'

/**
 * One list of an operation: the answer to the same parameters, language and, if v1 answers by token, client. The gateway caches
 * each by itself. Calls with a parameter that v1 does not get are another list, because legacy may answer them otherwise; by the
 * parameter's name alone, since some programs send a new value with each call (`_=1700000000000`).
 */
export interface CalledList {
  /** 48 bits, which tell lists apart and reveal nothing about them. */
  readonly id: number
  /** Which parameters the list has, without their values, and its language: `code, search (tr)`, `code; companyId not sent (tr)`. */
  readonly says: string
}

/** The most lists that are remembered, so that their ids are not computed for each call. */
const REMEMBERED = 1_000

/** The most names of parameters that v1 does not get in the words for a list, and the longest; a client may send any. */
const MOST_NAMES = 3
const LONGEST_NAME = 60

/** Returns a function that says which list a call asks for; undefined: the operation does not answer with a whole list. */
export function listReader(
  expectations: (operation: string) => Expectations,
): (exchange: Pick<Exchange, 'operation' | 'request' | 'client'>) => CalledList | undefined {
  const known = new Map<string, CalledList>()
  return ({ operation, request, client }) => {
    const expected = expectations(operation)
    if (expected.response.kind !== 'whole-list') return undefined
    const whose = expected.isByToken ? (client ?? '') : ''
    const key = `${operation}\n${languageOf(request.headers)}\n${whose}\n${request.query}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const notSent = expected.notSentIn(request, NO_LIMIT).map(({ legacy }) => legacy)
    const text = [operation, whose, expected.inputOf(request), ...notSent.toSorted()].join('\n')
    const list = {
      id: Number.parseInt(hash('sha256', text).slice(0, 12), 16),
      says: inWords(expected.sentBy(request), notSent, request),
    }
    if (known.size >= REMEMBERED) known.clear()
    known.set(key, list)
    return list
  }
}

function inWords(sent: readonly string[], notSent: readonly string[], { headers }: Exchange['request']): string {
  const parameters = sent.length === 0 ? 'no parameters' : sent.join(', ')
  const named = notSent.slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME))
  const others = notSent.length > named.length ? ', …' : ''
  return `${parameters}${named.length === 0 ? '' : `; ${named.join(', ')}${others} not sent`} (${languageOf(headers)})`
}

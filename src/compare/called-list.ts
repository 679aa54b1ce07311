import { hash } from 'node:crypto'
import type { Exchange } from '../exchange/exchange.ts'
import type { Expectations } from './expected/expectations.ts'
import { languageOf } from './reply-of.ts'

/**
 * One list of an operation: the answer to the same parameters, language and, if v1 answers by token, client. The gateway caches
 * each by itself.
 */
export interface CalledList {
  /** 48 bits, which tell lists apart and reveal nothing about them. */
  readonly id: number
  /** Which parameters the list has, without their values, and its language: `code, search (tr)`. */
  readonly says: string
}

/** The most lists that are remembered, so that their ids are not computed for each call. */
const REMEMBERED = 1_000

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
    const list = known.get(key) ?? {
      id: Number.parseInt(hash('sha256', `${operation}\n${whose}\n${expected.inputOf(request)}`).slice(0, 12), 16),
      says: inWords(expected, request),
    }
    if (!known.has(key)) {
      if (known.size >= REMEMBERED) known.clear()
      known.set(key, list)
    }
    return list
  }
}

function inWords({ sentBy }: Expectations, request: Exchange['request']): string {
  const names = sentBy(request)
  return `${names.length === 0 ? 'no parameters' : names.join(', ')} (${languageOf(request.headers)})`
}

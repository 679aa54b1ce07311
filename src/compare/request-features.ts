import { isUtf8 } from 'node:buffer'
import type { ExchangeRequest } from '../exchange/exchange.ts'
import { requestFacts } from '../exchange/request-facts.ts'
import type { NotSentName } from './coverage/not-sent.ts'
import type { ShownLine } from './coverage/shown-lines.ts'

/** What a request is like, as far as it may tell why the answers to it differ. */
export interface Featured {
  readonly request: Pick<ExchangeRequest, 'query' | 'body' | 'headers'>
  /** What its headers say; see `requestFacts`. Undefined: only those that are kept with the request are known. */
  readonly facts?: readonly string[] | undefined
  readonly coverage: readonly Pick<ShownLine, 'part' | 'legacy'>[]
  readonly notSent: readonly NotSentName[]
}

/** The order in which features are told and kept: those of the request's form first, names that a client chooses last. */
const FORM = '1'
const LISTED = '2'
const NOT_SENT = '3'
const HEADER = '4'

/** Returns the features of a request, each a short text without values, in the order in which they are worth telling. */
export function requestFeatures({ request, facts, coverage, notSent }: Featured): readonly string[] {
  const { body, headers } = request
  return [
    ...(facts ?? requestFacts(headers)).map((fact) => `${fact.startsWith('header ') ? HEADER : FORM} ${fact}`),
    ...(body.length === 0 || isUtf8(body) ? [] : [`${FORM} a body that is not UTF-8`]),
    ...(hasMark(body) ? [`${FORM} a byte order mark`] : []),
    ...(body.length === 0 ? [`${FORM} no body`] : []),
    ...coverage.flatMap(({ part, legacy }) => (part === 'request' ? [`${LISTED} the member ${legacy}`] : [])),
    ...notSent.flatMap(({ part, legacy }) => {
      if (part === 'other') return []
      return [`${NOT_SENT} ${part === 'value' ? 'a value of' : 'the member'} ${legacy}, which v1 does not get`]
    }),
  ]
}

/** Returns the text of a feature as it is shown. */
export const featureText = (feature: string): string => feature.slice(feature.indexOf(' ') + 1)

const hasMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { ExchangeRequest } from '../../../exchange/exchange.ts'
import { requestFacts } from '../../../exchange/request-facts.ts'
import type { ShownLine } from '../coverage/lines-to-see.ts'
import type { NotSentName } from '../coverage/not-sent.ts'
import { changesOf, type Difference } from '../diff/difference.ts'
import type { Observation } from '../observation.ts'
import { type Bounds, NamedSums, OTHER, Smallest } from './bounds.ts'
import type { OperationCounts } from './operation-counts.ts'
import { CLIENTS_KEPT, countClients } from './sketch.ts'

/*
 * Which clients show a difference, and what their requests are like, beside what all compared requests are like. What all requests
 * that show a difference have, and others lack, may be its cause. Only names are kept, never values.
 */

export const NO_CIRCUMSTANCES: CircumstanceCounts = { requests: 0, features: {}, places: [] }

type CircumstanceCounts = OperationCounts['circumstances']
type PlaceCounts = CircumstanceCounts['places'][number]

/** Of all requests, so many times the features are kept as of those that show one change. */
const OF_ALL = 5
/** Longer names of clients are cut. */
const LONGEST_NAME = 100

/** Returns a text that is equal for equal changes at one place, as a report shows them. */
const circumstanceKey = ({ kind, path, from }: Pick<Difference, 'kind' | 'path' | 'from'>, detail = ''): string =>
  `${kind} ${path}\t${from ?? ''}\t${detail}`

/** Returns what one compared exchange adds. */
export function countCircumstances({ differences, shownBy, outcome }: Observation): CircumstanceCounts {
  if (shownBy === undefined || outcome === 'failed') return NO_CIRCUMSTANCES
  const { client, malformed } = shownBy
  const features = Object.fromEntries(shownBy.features.map((feature) => [feature, 1]))
  const keys = new Set(
    differences.flatMap((difference) => changesOf(difference).map((detail) => circumstanceKey(difference, detail))),
  )
  return {
    ...{ requests: 1, features },
    places: [...keys].map((key) => ({
      ...{ key, requests: 1, features },
      malformed: malformed === undefined ? {} : { [malformed]: 1 },
      clients: client === undefined ? [] : [[hashOf(client), client.slice(0, LONGEST_NAME), 1] as const],
    })),
  }
}

const hashOf = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE(0)

/** Adds up counts, in any order. Beyond a bound the smallest keys are kept. */
export class Circumstances {
  readonly #bounds: Bounds
  #requests = 0
  readonly #features: NamedSums
  readonly #places: Smallest<string, Place>

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#features = new NamedSums(bounds.features * OF_ALL)
    this.#places = new Smallest(bounds.circumstances)
  }

  add({ requests, features, places }: CircumstanceCounts): void {
    this.#requests += requests
    this.#features.addAll(Object.entries(features))
    for (const { key, ...counts } of places) {
      if (!this.#places.admits(key)) continue
      const place = this.#places.get(key) ?? new Place(this.#bounds)
      this.#places.set(key, place)
      place.add(counts)
    }
  }

  counts(): CircumstanceCounts {
    return {
      requests: this.#requests,
      features: this.#features.record(),
      places: this.#places.entries().map(([key, place]) => ({ key, ...place.counts() })),
    }
  }
}

class Place {
  #requests = 0
  readonly #features: NamedSums
  readonly #malformed: NamedSums
  readonly #clients = new Smallest<number, readonly [number, string, number]>(CLIENTS_KEPT)

  constructor({ features, reasons }: Bounds) {
    this.#features = new NamedSums(features)
    this.#malformed = new NamedSums(reasons)
  }

  add({ requests, features, malformed, clients }: Omit<PlaceCounts, 'key'>): void {
    this.#requests += requests
    this.#features.addAll(Object.entries(features))
    this.#malformed.addAll(Object.entries(malformed))
    for (const client of clients) {
      // Two names may have one hash. The smaller one stands for both, whichever came first.
      this.#clients.add(client[0], client, ([hash, name, times], [, other, more]) => [
        hash,
        name < other ? name : other,
        times + more,
      ])
    }
  }

  counts(): Omit<PlaceCounts, 'key'> {
    return {
      requests: this.#requests,
      features: this.#features.record(),
      malformed: this.#malformed.record(),
      clients: this.#clients.values(),
    }
  }
}

/** What a request is like, as far as it may tell why the answers to it differ. */
interface Featured {
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
const featureText = (feature: string): string => feature.slice(feature.indexOf(' ') + 1)

const hasMark = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf

/** Who shows a change, and what the requests that show it have in common. */
export interface ShownBy {
  /** The change: `200 → 415`. Null: the difference has no changes that are told apart. */
  readonly detail: string | null
  /** The exchanges of which this is known. */
  readonly requests: number
  /** At most 5 clients, those with the most exchanges among the clients that are kept; and how many others. `estimated`: about. */
  readonly clients: {
    readonly named: readonly { readonly client: string; readonly requests: number }[]
    readonly others: number
    readonly estimated: boolean
  }
  /** What each of these requests has, and at most half of the other compared requests: how many of them, and of how many. */
  readonly common: readonly { readonly feature: string; readonly others: number; readonly of: number }[]
  /** What was wrong with v1's answer, if it was malformed: how often each. */
  readonly malformed: Readonly<Record<string, number>>
  /** All of this in words. */
  readonly says: readonly string[]
}

const MOST_CLIENTS = 5
const MOST_COMMON = 3
/** What more than this share of the other requests have does not tell the ones from the others. */
const MOST_OF_OTHERS = 0.5

/** Reports who shows a difference, change by change; those that most exchanges show come first. */
export function shownByOf(
  { kind, path, from, details }: Pick<Difference, 'kind' | 'path' | 'from' | 'details'>,
  all: CircumstanceCounts,
): readonly ShownBy[] {
  const changes: readonly (string | null)[] = [...Object.keys(details ?? {}), null]
  return changes
    .flatMap((detail) => {
      const key = circumstanceKey({ kind, path, from }, detail ?? undefined)
      const place = all.places.find((one) => one.key === key)
      return place === undefined ? [] : [reportOf(detail, place, all)]
    })
    .sort((a, b) => b.requests - a.requests)
}

function reportOf(
  detail: string | null,
  { requests, features, malformed, clients }: CircumstanceCounts['places'][number],
  all: CircumstanceCounts,
): ShownBy {
  const { distinct, estimated } = countClients(clients.map(([hash]) => hash))
  const named = [...clients]
    .sort(([, a, times], [, b, others]) => others - times || (a < b ? -1 : 1))
    .slice(0, MOST_CLIENTS)
    .map(([, client, requests]) => ({ client, requests }))
  const of = all.requests - requests
  const common = Object.entries(features)
    .filter(([feature, times]) => times === requests && feature !== OTHER && Object.hasOwn(all.features, feature))
    .map(([feature]) => ({ feature, others: (all.features[feature] ?? 0) - requests, of }))
    .filter(({ others }) => of > 0 && others / of <= MOST_OF_OTHERS)
    .sort((a, b) => a.others - b.others || (a.feature < b.feature ? -1 : 1))
    .slice(0, MOST_COMMON)
    .map(({ feature, ...others }) => ({ feature: featureText(feature), ...others }))
  const shown = { detail, requests, clients: { named, others: distinct - named.length, estimated }, common, malformed }
  return { ...shown, says: inWords(shown) }
}

/** Says who shows a change, and what their requests have in common, a sentence each. */
function inWords({ detail, requests, clients, common, malformed }: Omit<ShownBy, 'says'>): readonly string[] {
  const is = detail === null ? '' : `${detail}: `
  const { named, others, estimated } = clients
  const names = named.map(({ client, requests }) => `${client} (${requests})`).join(', ')
  const more = others === 0 ? '' : ` and ${estimated ? 'about ' : ''}${others} other${others === 1 ? '' : 's'}`
  const calls = requests === 1 ? 'the call' : `all ${requests} calls`
  return [
    ...(named.length === 0
      ? []
      : [`${is}shown by ${named.length + others === 1 ? 'one client' : 'clients'}: ${names}${more}`]),
    ...common.map(
      ({ feature, others, of }) =>
        `${is}${calls} had ${feature}; ${others === 0 ? 'none' : others} of the ${of} other compared call${of === 1 ? '' : 's'} did`,
    ),
    ...Object.entries(malformed).map(([what, times]) => `${is}v1’s answer was malformed: ${what} (${times})`),
  ]
}

import { featureText } from '../request-features.ts'
import { OTHER } from './bounds.ts'
import type { CircumstanceCounts } from './circumstances.ts'
import { circumstanceKey } from './circumstances.ts'
import { countClients } from './client-sketch.ts'
import type { DifferenceReport } from './report-differences.ts'

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
  { kind, path, from, details }: Pick<DifferenceReport, 'kind' | 'path' | 'from' | 'details'>,
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

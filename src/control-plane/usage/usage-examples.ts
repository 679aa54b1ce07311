import { LRUCache } from 'lru-cache'
import type { ExchangeRequest } from '../../exchange/exchange.ts'
import type { Redactor } from '../../exchange/redactor.ts'
import type { Login, Operation } from '../../mapping/operation.ts'
import { languageOf } from '../evidence/reply.ts'
import type { Seen } from './usage.ts'

/** A call of a client, redacted as in a recording, and kept in memory only. */
export interface UsageExample {
  readonly method: string
  /** As the legacy service receives it, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly language: 'tr' | 'en'
  /** JSON; undefined if there was no body. */
  readonly body: string | undefined
}

/** A client's typical call: the last with the members that most of its successful calls had. */
export interface TypicalCall extends UsageExample {
  /** How many of them had exactly these members, at least. */
  readonly alike: number
  /** How many successful calls there were. */
  readonly of: number
}

/** Keeps successful calls of each client's operations by the members that they send, redacted, in bounded memory. */
export interface UsageExamples {
  /** @param shown what the call showed: names its members. */
  keep(client: string, mapping: Pick<Operation, 'id' | 'login'>, request: ExchangeRequest, shown: Seen): void
  /** Returns the typical call; of several that are as frequent, the last. */
  of(client: string, operation: string): TypicalCall | undefined
}

/** The calls of an operation that have the same members. */
interface Alike {
  readonly members: string
  readonly last: UsageExample
  readonly calls: number
  /** How many of these calls may have had other members. */
  readonly atMostOthers: number
}

/** The calls of a client's operation: groups in the order of their last calls. */
interface Kept {
  readonly of: number
  readonly groups: readonly Alike[]
}

/** The most characters of one call; larger calls are not kept. */
const MOST_OF_ONE = 4 * 1024
/** The most bytes of all calls. */
const MOST_OF_ALL = 4 * 1024 * 1024
/** The memory of an entry without its texts; bytes. */
const OF_AN_ENTRY = 300
/** The most groups of an operation's calls. */
const MOST_GROUPS = 6

/** Redacts calls and keeps them. Forgets the least recently read or made ones. */
export function usageExamples(redact: Pick<Redactor, 'body' | 'query'>): UsageExamples {
  const examples = new LRUCache<string, Kept>({
    maxSize: MOST_OF_ALL,
    // Texts take two bytes a character at most.
    sizeCalculation: ({ groups }, key) =>
      OF_AN_ENTRY + 2 * key.length + groups.reduce((sum, group) => sum + OF_AN_ENTRY + 2 * lengthOf(group), 0),
  })
  const keyOf = (client: string, operation: string): string => JSON.stringify([client, operation])
  return {
    keep(client, { id, login }, request, shown) {
      if (request.body.length + request.query.length > MOST_OF_ONE) return
      const { method, path } = request
      const body = login === undefined ? redacted(request.body, redact) : placeholders(request.body, login)
      const query = login === undefined ? redact.query(request.query) : ''
      const last = { method, path, query, language: languageOf(request.headers), body }
      const members = membersOf(shown)
      if (lengthOf({ members, last }) > MOST_OF_ONE) return
      const key = keyOf(client, id)
      const { of, groups } = examples.get(key) ?? { of: 0, groups: [] }
      examples.set(key, { of: of + 1, groups: added(groups, { members, last }) })
    },
    of(client, operation) {
      const kept = examples.get(keyOf(client, operation))
      if (kept === undefined) return undefined
      const alike = (group: Alike): number => group.calls - group.atMostOthers
      const most = Math.max(...kept.groups.map(alike))
      const typical = kept.groups.findLast((group) => alike(group) === most)
      return typical && { ...typical.last, alike: most, of: kept.of }
    },
  }
}

/** Names what a call sends, by the legacy paths of its mapping lines; with a value or without. */
const membersOf = ({ members, empty, other }: Seen): string =>
  JSON.stringify([Object.keys(members).sort(), Object.keys(empty).sort(), other])

/**
 * Adds a call to its group. If there are too many, a new group takes the place of the smallest, and its count: so a frequent group stays,
 * whenever it began ("Space-Saving": Metwally et al., Efficient Computation of Frequent and Top-k Elements in Data Streams, 2005).
 */
function added(groups: readonly Alike[], call: Pick<Alike, 'members' | 'last'>): readonly Alike[] {
  const group = groups.find(({ members }) => members === call.members)
  const fewest = Math.min(...groups.map(({ calls }) => calls))
  const leaves = group ?? (groups.length < MOST_GROUPS ? undefined : groups.find(({ calls }) => calls === fewest))
  const { calls, atMostOthers } = group ?? { calls: leaves?.calls ?? 0, atMostOthers: leaves?.calls ?? 0 }
  return [...groups.filter((one) => one !== leaves), { ...call, calls: calls + 1, atMostOthers }]
}

const lengthOf = ({ members, last: { method, path, query, body } }: Pick<Alike, 'members' | 'last'>): number =>
  members.length + method.length + path.length + query.length + (body?.length ?? 0)

const redacted = (body: Uint8Array, redact: Pick<Redactor, 'body'>): string | undefined =>
  body.length === 0 ? undefined : redact.body(body)?.toString()

/** Returns a login's body with placeholders only: nothing that the client sent in it is kept. */
function placeholders(body: Uint8Array, { client, secret }: Login): string | undefined {
  const sent = sentMembers(body)
  return (
    sent &&
    JSON.stringify(
      Object.fromEntries([client, secret].flatMap((name) => (sent.has(name) ? [[name, `<${name}>`]] : []))),
    )
  )
}

function sentMembers(body: Uint8Array): ReadonlySet<string> | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? new Set(Object.keys(json)) : undefined
  } catch {
    return undefined
  }
}

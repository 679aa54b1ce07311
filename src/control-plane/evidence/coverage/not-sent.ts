import { counted, distinctInWords } from '../../../common/figures.ts'
import { parametersOf } from '../../../mapping/operation.ts'
import type { Parameters, RequestMapping } from '../../../mapping/request.ts'
import type { Budget } from '../diff/budget.ts'
import { type JsonValue, readBody } from '../diff/json-value.ts'
import { boundedPath, isAt, memberPath, segmentsOf } from '../diff/path.ts'
import { Smallest } from '../tally/bounds.ts'
import { addClients, countClients } from '../tally/sketch.ts'
import { bodyShapeOf, walkShape } from '../writes/walk-shape.ts'
import type { Waiver } from './coverage.ts'
import { lineText } from './lines-to-see.ts'
import { isEmpty, type SentRequest, scalarOf } from './sent-request.ts'

/** Names something that a request has and v1 does not get. */
export interface NotSentName {
  /** `request`: no line of the mapping lists the member. `value`: a line lists it, but v1 does not know its value. `other`: beyond the bound. */
  readonly part: 'request' | 'value' | 'other'
  /** The legacy path of a member or the name of a parameter; `?name` for a parameter beside a body, `(body)` for a body beside parameters. */
  readonly legacy: string
}

/** Something that one request has and v1 does not get. */
export interface NotSent extends NotSentName {
  /** At how many places of the request: more than one in items of lists. */
  readonly places: number
}

/** Stands for everything beyond a bound. */
const OTHER_NAMES: NotSentName = { part: 'other', legacy: '' }

/** The most names told apart per request, because a client may send any number. */
const MOST = 50
/** The name of a body that is not read, because the mapping reads parameters. */
const BODY = '(body)'

/**
 * Returns what a legacy request has and its translation does not carry to v1, at most 50 names and one for all others.
 *
 * Null and empty values ask for nothing, so they are not in it, and neither are members that the mapping declares lost or whose
 * values v1 removed: the mapping says what becomes of those. A query parameter without `=` is a flag, and is in it.
 */
export function notSent(mapping: RequestMapping, { query, body }: SentRequest, budget: Budget): readonly NotSent[] {
  if (mapping.kind === 'pass-through') return []
  const names = new Map<string, NotSent>()
  const add = (part: 'request' | 'value', path: string): void => {
    budget.step()
    const name = { part, legacy: boundedPath(visible(path)) }
    const text = lineText(name)
    const isNamed = names.size < MOST || names.has(text)
    const key = isNamed ? text : ''
    names.set(key, { ...(isNamed ? name : OTHER_NAMES), places: (names.get(key)?.places ?? 0) + 1 })
  }
  if (mapping.kind === 'query-parameters') {
    for (const [name, value] of sentParameters(query)) {
      if (!Object.hasOwn(mapping.parameters, name)) add('request', memberPath('', name))
      else if (isLeftOut(mapping.parameters, name, value)) add('value', name)
    }
    if (body.length > 0) add('request', BODY)
    return [...names.values()]
  }
  for (const [name] of sentParameters(query)) add('request', `?${memberPath('', name)}`)
  const { json } = readBody(body)
  const shape = bodyShapeOf(mapping)
  if (json === undefined || shape === undefined) return [...names.values()]
  walkShape(shape, json, '', budget, ({ path, value, isLeftOut }) => {
    if (isLeftOut && !isEmpty(value)) add('request', path)
  })
  const parameters = parametersOf(mapping)
  for (const name of Object.keys(parameters)) {
    if (isAt(json, segmentsOf(name), (value) => !isEmpty(value) && isLeftOut(parameters, name, value)))
      add('value', name)
  }
  return [...names.values()]
}

/** Writes invisible characters as escapes, so that two names never look alike. */
const visible = (path: string): string =>
  path.replaceAll(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** Returns the parameters of a query that ask for something: with a value, or a name alone. Of a repeated one, the last counts. */
function sentParameters(query: string): ReadonlyMap<string, string> {
  const sent = new Map<string, string>()
  if (query === '') return sent
  for (const written of query.split('&')) {
    // The constructor takes a question mark at the beginning for that of the URL.
    const [name, value] = [...new URLSearchParams(`&${written}`)][0] ?? []
    if (name === undefined || value === undefined) continue
    if (value === '' && written.includes('=')) sent.delete(name)
    else sent.set(name, value)
  }
  return sent
}

function isLeftOut(parameters: Parameters, name: string, value: JsonValue): boolean {
  const reading = parameters[name]?.reader.read(scalarOf(value))
  return reading !== undefined && 'leaveOut' in reading
}

/** How many exchanges had something that v1 does not get. `clients` is a sketch of who made them. */
interface NotSentCounts extends NotSentName {
  readonly requests: number
  readonly clients: readonly number[]
}

/** Counts by name what v1 does not get. Beyond the bound, the smallest names are kept and all others are counted together. */
export class NotSentSums {
  readonly #named: Smallest<string, NotSentCounts>
  #others: NotSentCounts | undefined

  constructor(most: number) {
    this.#named = new Smallest(most)
  }

  addAll(all: Iterable<NotSentCounts>): void {
    for (const added of all) {
      const other = added.part === 'other' ? added : this.#named.add(lineText(added), added, sumOf)
      if (other !== undefined) this.#others = sumOf({ ...other, ...OTHER_NAMES }, this.#others)
    }
  }

  /** Returns the counts in the order of their names; those of all others are last. */
  counts(): readonly NotSentCounts[] {
    return this.#others === undefined ? this.#named.values() : [...this.#named.values(), this.#others]
  }
}

const sumOf = (one: NotSentCounts, other?: NotSentCounts): NotSentCounts => ({
  ...one,
  requests: one.requests + (other?.requests ?? 0),
  clients: addClients(one.clients, other?.clients ?? []),
})

/** Something that compared requests had and v1 did not get. */
export interface NotSentMember extends NotSentName {
  readonly requests: number
  /** `estimated`: there are too many to count them exactly. 0: unknown. */
  readonly clients: { readonly distinct: number; readonly estimated: boolean }
  /** Null: it matters. */
  readonly waived: Pick<Waiver, 'why' | 'by'> | null
}

/**
 * Reports what v1 did not get, what most requests had first.
 * @param allClients as in `countClients`.
 */
export function notSentMembers(
  counts: readonly NotSentCounts[],
  waivers: readonly Waiver[] = [],
  allClients?: readonly number[],
): readonly NotSentMember[] {
  const isLast = ({ part }: NotSentName): number => (part === 'other' ? 1 : 0)
  return counts
    .map(({ part, legacy, requests, clients }) => {
      const waiver = waivers.find(({ line }) => line === lineText({ part, legacy }))
      const waived = waiver === undefined ? null : { why: waiver.why, by: waiver.by }
      return { part, legacy, requests, clients: countClients(clients, allClients), waived }
    })
    .sort((a, b) => isLast(a) - isLast(b) || b.requests - a.requests || (lineText(a) < lineText(b) ? -1 : 1))
}

/** A member in a sentence; `operation` where the sentence is about several. */
export type ToldMember = NotSentMember & { readonly operation?: string }

type Named = Pick<ToldMember, 'legacy' | 'requests' | 'clients' | 'operation'>

/** The most members that a sentence names. */
const NAMED = 3
/** Longer names are cut in sentences. */
const LONGEST = 60

/**
 * Says what v1 never gets, without what is waived: `2 members that clients send never reach v1: companyId (40 calls, 3 clients), …`.
 * Empty: nothing.
 */
export function notSentInWords(all: readonly ToldMember[]): readonly string[] {
  const mattering = all.filter(({ waived }) => waived === null).sort((a, b) => b.requests - a.requests)
  const of = (part: NotSentName['part']): readonly ToldMember[] => mattering.filter((member) => member.part === part)
  const [members, values, others] = [of('request'), of('value'), of('other')]
  return [
    ...(members.length === 0 ? [] : [`${membersInWords(members, others)}: ${namedMembers(members)}`]),
    ...(values.length === 0
      ? []
      : [`some values of ${counted(values.length, 'member')} never reach v1: ${namedMembers(values)}`]),
  ]
}

function membersInWords(members: readonly ToldMember[], others: readonly ToldMember[]): string {
  const isMore = others.length > 0
  const verb = members.length === 1 && !isMore ? 'reaches' : 'reach'
  return `${isMore ? 'more than ' : ''}${counted(members.length, 'member')} that clients send never ${verb} v1`
}

/** Names the first members, and where they were seen: `companyId (40 calls, 3 clients), …`. */
export function namedMembers(members: readonly Named[]): string {
  const more = members.length - NAMED
  const names = members.slice(0, NAMED).map((member) => `${nameOf(member)} (${seenIn(member)})`)
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function nameOf({ operation, legacy }: Named): string {
  if (legacy === '') return 'all further names'
  const name = legacy.length > LONGEST ? `${legacy.slice(0, LONGEST)}…` : legacy
  return operation === undefined ? name : `${operation} ${name}`
}

/** Says how many calls had it, and of how many clients: `40 calls, 3 clients`. */
export function seenIn({ requests, clients }: Pick<NotSentMember, 'requests' | 'clients'>): string {
  const of = clients.distinct === 0 ? '' : `, ${distinctInWords(clients, 'client')}`
  return `${counted(requests, 'call')}${of}`
}

/** Names a member where each has a row of its own. */
export function nameInFull({ part, legacy }: NotSentName): string {
  if (part === 'other') return 'all further names'
  return part === 'value' ? `some values of ${legacy}` : legacy
}

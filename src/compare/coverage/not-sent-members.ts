import { counted, distinctInWords } from '../../common/figures.ts'
import { countClients } from '../tally/client-sketch.ts'
import type { NotSentCounts } from '../tally/not-sent-sums.ts'
import type { Waiver } from './coverage.ts'
import { lineText } from './line-to-see.ts'
import type { NotSentName } from './not-sent.ts'

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
    ...(members.length === 0 ? [] : [`${membersInWords(members, others)}: ${named(members)}`]),
    ...(values.length === 0
      ? []
      : [`some values of ${counted(values.length, 'member')} never reach v1: ${named(values)}`]),
  ]
}

function membersInWords(members: readonly ToldMember[], others: readonly ToldMember[]): string {
  const isMore = others.length > 0
  const verb = members.length === 1 && !isMore ? 'reaches' : 'reach'
  return `${isMore ? 'more than ' : ''}${counted(members.length, 'member')} that clients send never ${verb} v1`
}

function named(members: readonly ToldMember[]): string {
  const more = members.length - NAMED
  const names = members.slice(0, NAMED).map((member) => `${nameOf(member)} (${seenIn(member)})`)
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function nameOf({ operation, legacy }: ToldMember): string {
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

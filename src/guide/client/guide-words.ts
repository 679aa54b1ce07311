import { count, counted } from '../../common/figures.ts'
import { dayOf } from '../../common/time.ts'
import type { Change, ClientGuide, GuideCall, OperationGuide } from './client-guide.ts'

// The texts that the Markdown and the HTML guide share.

/** The parts of an operation's guide that are tables: each heading with its rows. */
export const partsOf = ({ request, answer, errors, lost }: OperationGuide) =>
  [
    ['What you send', request],
    ['What you get', answer],
    ['Errors that you got', errors],
    ['What is lost', lost],
  ] as const satisfies readonly (readonly [string, readonly Change[]])[]

/** The column headings of such a table. */
export const HEAD = ['Legacy', 'v1', 'Change', 'Basis', 'Calls'] as const

/** Says what a guide is based on. */
export const madeOf = ({ since, madeAt }: ClientGuide): string =>
  `Made on ${dayOf(madeAt)} from what your calls showed since ${dayOf(since)}: names, statuses and counts. It leaves out what your calls do not use.`

/** Says when the legacy interface is removed. */
export const removal = ({ sunset }: ClientGuide): string =>
  `Removal of the legacy interface: ${sunset === null ? 'not announced' : dayOf(sunset)}.`

/** Says how much an operation is used, and how much is known of it. */
export function useOf({ calls, lookedAt, lastAt }: OperationGuide): string {
  const use = `${counted(calls, 'call')}, the last on ${dayOf(lastAt)}.`
  if (lookedAt >= calls) return use
  if (lookedAt === 0) return `${use} None was examined, so what you send is not known.`
  return `${use} ${count(lookedAt)} of them ${lookedAt === 1 ? 'was' : 'were'} examined.`
}

/** Says where the values of the call come from. */
export function valuesOf({ isOwnCall, isExample, hasPlaceholders }: OperationGuide): string {
  if (isExample) return 'This is an example: it is not known whether you send these members.'
  if (!isOwnCall) return 'The members are those that you send; their values are examples.'
  return `This is your last successful call${hasPlaceholders ? '; personal values and credentials are placeholders' : ''}.`
}

/** Writes a request as HTTP does. */
export const httpOf = ({ method, url, headers, body }: GuideCall): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n')

/** Says how many calls a change concerns; empty where that is not counted. */
export const callsOf = ({ calls }: Change): string => (calls === undefined ? '' : count(calls))

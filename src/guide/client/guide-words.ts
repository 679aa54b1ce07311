import { count, counted } from '../../common/figures.ts'
import { dayOf } from '../../common/time.ts'
import { basisInWords } from '../lines/explained-line.ts'
import { NOT_ANSWERED } from './answer-changes.ts'
import type { Change, ClientGuide, GuideCall, OperationGuide } from './client-guide.ts'

// The texts that the Markdown and the HTML guide share.

/** The parts of an operation's guide: each heading with its changes. */
export const partsOf = (guide: OperationGuide) =>
  [
    ['What is lost', linesOf(guide.lost, ({ change }) => (change === NOT_ANSWERED ? guide.answered : guide.lookedAt))],
    ['What you send', linesOf(guide.request, () => guide.lookedAt)],
    ['What you get', linesOf(guide.answer, ({ change }) => (change === 'status' ? guide.calls : guide.answered))],
    ['Errors that you got', linesOf(guide.errors, () => Number.POSITIVE_INFINITY)],
  ] as const satisfies readonly (readonly [string, readonly ChangeLine[]])[]

/** Changes of which the same is said. */
export interface ChangeLine {
  readonly places: readonly Pick<Change, 'legacy' | 'v1' | 'calls'>[]
  /** Empty: the places say it all, or `topic` does. */
  readonly says: string
  /** What it is based on; empty: it is documented. */
  readonly why: string
  readonly topic: Change['topic'] | undefined
}

/**
 * Groups changes by what is said of them, in the order of the first of each group.
 * @param all returns in how many calls a change is counted. Of what all of them show, no count is given.
 */
function linesOf(changes: readonly Change[], all: (change: Change) => number): readonly ChangeLine[] {
  const lines = new Map<string, ChangeLine>()
  for (const change of changes) {
    const [says, why, { legacy, v1, topic, calls }] = [saysOf(change), whyOf(change), change]
    const place = { legacy, v1, ...(calls !== undefined && calls < all(change) && { calls }) }
    // Places alone are easier to read one by one.
    const isBare = says === '' && why === '' && topic === undefined
    const key = isBare ? String(lines.size) : JSON.stringify([says, why, topic])
    lines.set(key, { places: [...(lines.get(key)?.places ?? []), place], says, why, topic })
  }
  return [...lines.values()]
}

/** What the two places of a change say without words. */
const SHOWN = /^(?:renamed, |(?:renamed|converted|status)$)/

/** Changes of which `says` alone says enough. */
const IN_SENTENCES: readonly string[] = ['left out', 'not taken', 'removed value', 'no equivalent']

/** Says what changes, unless the places or the common part say it. */
function saysOf({ change, topic, says }: Change): string {
  if (topic !== undefined) return ''
  const what = IN_SENTENCES.includes(change) ? '' : change.replace(SHOWN, '')
  return [what, says ?? ''].filter((part) => part !== '').join(': ')
}

function whyOf(change: Change): string {
  const { topic, basis, reason } = change
  return basis === 'documented' && (topic !== undefined || reason === null) ? '' : basisInWords(change)
}

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
export function valuesOf({ alike, isExample }: OperationGuide): string {
  if (isExample) return 'an example, because it is not known whether you send these members'
  if (alike === undefined) return 'with the members that you send, and values that are examples'
  return `your typical call, ${count(alike.calls)} of ${count(alike.of)}`
}

/** Says which further calls follow, unless the common part does. */
export const nextOf = ({ request, after: [, ...further], then }: OperationGuide): readonly string[] => [
  ...(further.length === 0 ? [] : [`Likewise ${further.map(({ url }) => `\`${url}\``).join(', ')}.`]),
  ...(then === undefined || request.some(({ topic }) => topic === 'pages') ? [] : [then]),
]

/** Writes a request as HTTP does. */
export const httpOf = ({ method, url, headers, body }: GuideCall): string =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n')

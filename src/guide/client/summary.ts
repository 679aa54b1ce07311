import { count, counted, listed } from '../../common/figures.ts'
import { FILLED_IN } from './answer-changes.ts'
import type { Change, CommonPart, OperationGuide } from './client-guide.ts'
import { linkTo } from './common-changes.ts'

/**
 * What an operation needs. `no-equivalent`: another way, because v1 has no such call. `loses`: a decision how to do without something that
 * it uses. `changes`: changes of its own. `as-all`: only what changes for all calls. `unknown`: none of its calls was examined.
 */
export type Work = 'no-equivalent' | 'loses' | 'changes' | 'as-all' | 'unknown'

/** What a reader sees first. Code is between backticks, and links are as in Markdown. */
export interface Summary {
  readonly inShort: string
  /** What needs work first, and why. */
  readonly first: readonly string[]
  /** What the other operations need. */
  readonly others: readonly string[]
}

type Changes = Pick<OperationGuide, 'request' | 'answer' | 'errors' | 'lost'>

/** Returns what an operation that v1 has needs. @param lookedAt how many of its calls were examined. */
export function workOf(changes: Changes, lookedAt: number): Work {
  if (lookedAt === 0) return 'unknown'
  if (lossesOf(changes).length > 0) return 'loses'
  return ownChanges(changes) > 0 ? 'changes' : 'as-all'
}

/** What the client uses and no longer sends to v1, or finds in its answer. */
const lossesOf = ({ lost, answer }: Pick<Changes, 'lost' | 'answer'>): readonly Change[] => [
  ...lost,
  ...answer.filter(({ change }) => change === FILLED_IN),
]

/** Counts what is not said once for all operations. */
const ownChanges = ({ request, answer }: Pick<Changes, 'request' | 'answer'>): number =>
  [...request, ...answer].filter(({ topic }) => topic === undefined).length

/** How many operations are named one by one as those that need work first. */
const MOST_FIRST = 5

/** Sums up what a client must do. */
export function summaryOf(guides: readonly OperationGuide[], common: readonly CommonPart[]): Summary {
  const none = guides.filter(({ work }) => work === 'no-equivalent')
  const losing = guides.filter(({ work }) => work === 'loses')
  const changing = guides.filter(({ work }) => work === 'changes').toSorted((a, b) => ownChanges(b) - ownChanges(a))
  const first = [...none, ...losing, ...changing].slice(0, MOST_FIRST)
  const others = [...losing, ...changing].filter((guide) => !first.includes(guide))
  const alike = guides.filter(({ work }) => work === 'as-all')
  const unknown = guides.filter(({ work }) => work === 'unknown')
  const changed = common.filter(({ topic }) => topic !== 'reading' && topic !== 'programs')
  const links = (some: readonly OperationGuide[]): string => some.map(({ operation }) => linkTo(operation)).join(', ')
  return {
    inShort: inShort(guides.length, none.length),
    first: first.map(whyFirst),
    others: [
      ...(others.length === 0 ? [] : [`Then on ${links(others)}.`]),
      ...(changed.length === 0
        ? []
        : [
            `What changes for all calls: ${listed(changed.map(({ topic, title }) => linkTo(topic, title.toLowerCase())))}.`,
          ]),
      ...(alike.length === 0 ? [] : [`Nothing else but their addresses changes in ${links(alike)}.`]),
      ...(unknown.length === 0
        ? []
        : [`It is not known what else changes, because no call was examined: ${links(unknown)}.`]),
    ],
  }
}

function inShort(all: number, none: number): string {
  const called = `You call ${counted(all, 'operation')}`
  if (none === 0) return `${called}: v1 has ${all === 1 ? 'an equivalent' : 'equivalents for all of them'}.`
  if (none === all) return `${called}: v1 has no equivalent${all === 1 ? '' : ' for any of them'}.`
  return `${called}: v1 has equivalents for ${count(all - none)}, and none for ${count(none)}.`
}

/** The most members that are named. */
const MOST_NAMED = 3

function whyFirst(guide: OperationGuide): string {
  const { operation, work } = guide
  const link = linkTo(operation)
  if (work === 'no-equivalent') return `${link}: v1 has no equivalent.`
  const own = ownChanges(guide)
  if (work === 'changes') return `${link}: ${counted(own, 'change')} of its own.`
  const names = lossesOf(guide).map(({ legacy }) => `\`${legacy}\``)
  const more = names.length > MOST_NAMED ? ` and ${count(names.length - MOST_NAMED)} more` : ''
  return `${link}: v1 has no ${names.slice(0, MOST_NAMED).join(', ')}${more}.`
}

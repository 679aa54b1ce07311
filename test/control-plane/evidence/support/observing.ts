import { type Asked, observation } from '../../../../src/control-plane/evidence/compare-answers.ts'
import type { Expectations } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import { hashesOf, type Observation } from '../../../../src/control-plane/evidence/observation.ts'
import type { Reply } from '../../../../src/control-plane/evidence/reply.ts'
import { type Criteria, createTally, type Tally } from '../../../../src/control-plane/evidence/tally/tally.ts'
import type { Demands } from '../../../../src/control-plane/evidence/tally/verdict.ts'
import { expectationsFrom } from './lines.ts'

/** An answer of a side; its body as it is written, or as a value. */
export const reply = (body: unknown, status = 200): Reply => ({
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

export interface Seen {
  readonly control: unknown
  readonly candidate: unknown
  readonly control2?: unknown
  readonly candidate2?: unknown
  readonly candidateWasFirst?: boolean
  readonly line?: number
  readonly input?: string
  readonly client?: string
  readonly rolloutClient?: string
  readonly at?: Date
  readonly budgetMs?: number
  readonly operation?: string
  readonly expectations?: Expectations
  readonly request?: Asked['request']
}

const isReply = (side: unknown): side is Reply =>
  typeof side === 'object' && side !== null && ('status' in side || 'failure' in side)
const sideOf = (side: unknown): Reply => (isReply(side) ? side : reply(side))

/** One exchange; sides are replies, or bodies of a 200. */
export const observe = ({
  control,
  candidate,
  control2,
  candidate2,
  operation = 'made-up',
  expectations: lines = expectationsFrom([]),
  ...more
}: Seen): Observation =>
  observation({
    operation,
    expectations: lines,
    control: sideOf(control),
    candidate: sideOf(candidate),
    control2: control2 === undefined ? undefined : sideOf(control2),
    candidate2: candidate2 === undefined ? undefined : sideOf(candidate2),
    ...more,
  })

/** Exchanges that differ in their input alone. They are compared once, which is what takes time. */
export function observeEach(count: number, seen: Seen): readonly Observation[] {
  const one = observe(seen)
  return Array.from({ length: count }, (_, input) => ({ ...one, ...hashesOf({ ...seen, input: `${input}` }) }))
}

/** The default demands. */
export const demands = (target = 0.99): Demands => ({ target, confidence: 0.95, unjudged: 0.01 })

/** Later than all times in tests. */
const NOW = Date.UTC(2100, 0)

/** The criteria of operations. */
export const criteriaOf = (expectations: Criteria['expectations'], target = 0.99): Criteria => ({
  expectations,
  demandsOf: () => demands(target),
  now: () => NOW,
})

/** A tally of the made-up operation, or of the given ones. */
export const tallyOf = (lines: Expectations = expectationsFrom([]), target = 0.99): Tally =>
  createTally(() => criteriaOf(new Map([['made-up', lines]]), target))

/** The only operation of a tally. */
export function only(tally: Tally) {
  const [report, ...others] = tally.snapshot()
  if (report === undefined || others.length > 0) throw new Error(`${others.length} operations more than one`)
  return report
}

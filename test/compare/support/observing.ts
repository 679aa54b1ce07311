import type { Expectations } from '../../../src/compare/expected/expectations.ts'
import { type Observation, observation, type Reply } from '../../../src/compare/observe-exchange.ts'
import { createTally, type Tally } from '../../../src/compare/tally/tally.ts'
import { expectationsFrom } from './lines.ts'

/** An answer of a side; its body as it is written, or as a value. */
export const reply = (body: unknown, status = 200, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

export interface Seen {
  readonly control: unknown
  readonly candidate: unknown
  readonly control2?: unknown
  readonly line?: number
  readonly input?: string
  readonly operation?: string
  readonly expectations?: Expectations
}

const isReply = (side: unknown): side is Reply =>
  typeof side === 'object' && side !== null && ('status' in side || 'failure' in side)
const sideOf = (side: unknown): Reply => (isReply(side) ? side : reply(side))

/** One exchange; sides are replies, or bodies of a 200. */
export const observe = ({
  control,
  candidate,
  control2,
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
    ...more,
  })

/** A tally of the made-up operation, or of those given. */
export const tallyOf = (lines: Expectations = expectationsFrom([]), target = 0.99): Tally =>
  createTally(() => ({ expectations: new Map([['made-up', lines]]), targetOf: () => target }))

/** The only operation of a tally. */
export function only(tally: Tally) {
  const [report, ...others] = tally.snapshot()
  if (report === undefined || others.length > 0) throw new Error(`${others.length} operations more than one`)
  return report
}

import { expect, test } from 'vitest'
import { type Line, newLine, type Waiter } from '../../src/queue/line.ts'
import { runs } from '../support/random-runs.ts'

interface Numbered extends Waiter<undefined> {
  readonly number: number
}

/** What the line promises, from all that wait. */
function expectedNext(waiting: readonly Numbered[], now: number, perSecond: number): Numbered | undefined {
  const fresh = waiting.filter(({ since }) => now - since <= 1_000)
  const isInOrder = fresh.length === waiting.length || (waiting.length <= perSecond && !waiting[0]?.isOverloaded)
  if (isInOrder) return waiting[0]
  return (fresh.length <= perSecond * 0.08 ? fresh[0] : undefined) ?? waiting.at(-1)
}

/** Returns the same numbers between 0 and 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const newWaiter = (number: number, isOverloaded: boolean): Numbered => ({
  ...{ number, isOverloaded, since: 0, older: undefined, newer: undefined },
  begin: () => undefined,
  turnAway: () => undefined,
})

/** How many of `steps` random steps gave something else than expected. Callers come, leave and get what they wait for. */
function wrongSteps(line: Line<undefined>, steps: number, random: () => number): number {
  const waiting: Numbered[] = []
  let wrong = 0
  let now = 0
  for (let number = 0; number < steps; number++) {
    // Some come at the same time. At times there are few of them, and at times many.
    now += Math.floor(random() * 20)
    const few = number % 4_000 < 2_000
    const what = random()
    if (what < (few ? 0.48 : 0.6)) {
      const waiter = newWaiter(number, random() < 0.5)
      line.add(now, waiter)
      waiting.push(waiter)
    } else if (waiting.length > 0) {
      const gone = what < 0.65 ? waiting[Math.floor(random() * waiting.length)] : undefined
      if (gone !== undefined) line.remove(gone)
      // The line counts those that begin before it chooses, so the pace is known only afterwards.
      const next = gone ?? (line.next(now) as Numbered)
      if (gone === undefined && next !== expectedNext(waiting, now, line.perSecond)) wrong++
      waiting.splice(waiting.indexOf(next), 1)
    }
    if (line.length !== waiting.length || line.oldest !== waiting[0]) wrong++
  }
  return wrong
}

test('who is next is as promised, whoever came and left before', () => {
  const line = newLine<undefined>('', 0, () => undefined)
  expect(wrongSteps(line, runs(100_000), randomNumbers(1))).toBe(0)
})

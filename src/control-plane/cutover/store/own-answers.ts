import { Sender } from '../../store/sender.ts'
import type { Answered } from '../position.ts'
import { type AnswersPortion, answeredSince, answersKey, type BothSides, NOTHING, pairsIn } from './stage-answers.ts'

const total = (both: BothSides): number => {
  const { v1, legacy } = both
  return v1.calls + v1.failures + legacy.calls + legacy.failures + pairsIn(both)
}

/**
 * Returns a function that stores what is new of everything that this process answered, at the stages that count.
 * @param add returns the keys of what was added: a stage that the store does not know yet is sent again.
 */
export function ownAnswers(
  process: string,
  add: (portion: AnswersPortion) => Promise<readonly string[]>,
): (whole: readonly Answered[]) => Promise<void> {
  /** What is stored of each stage. */
  let stored: ReadonlyMap<string, Answered> = new Map()
  const before = (one: Answered): BothSides => stored.get(answersKey(one)) ?? NOTHING
  const sender = new Sender(
    ({ answered }: { readonly answered: readonly Answered[]; readonly whole: readonly Answered[] }, number) =>
      add({ process, number, answered }),
    ({ whole }, added) => {
      const known = whole.filter((one) => added.includes(answersKey(one)))
      stored = new Map([...stored, ...known.map((one) => [answersKey(one), one] as const)])
    },
  )
  return async (whole) => {
    let isTaken = false
    await sender.send(() => {
      if (isTaken) return undefined
      isTaken = true
      const current = new Set(whole.map(answersKey))
      stored = new Map([...stored].filter(([key]) => current.has(key)))
      const fresh = whole.filter((one) => total(one) > total(before(one)))
      if (fresh.length === 0) return undefined
      return { answered: fresh.map((one) => ({ ...one, ...answeredSince(one, before(one)) })), whole: fresh }
    })
  }
}

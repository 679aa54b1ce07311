import type { Operation } from '../mapping/operation.ts'
import { boundaries } from './boundaries.ts'
import { type Choice, filtersOf, inTurn, type Known, neededBy, type Questions, type Stage } from './choices.ts'
import type { Draft } from './draft.ts'
import type { SeenValues } from './seen-values.ts'
import { alone, languages, pairs, sorts, wrong } from './stages.ts'

/** The order of the stages: first the most telling questions of each, then more. A small budget leaves out the last. */
const FIRST: readonly Stage[] = [alone, boundaries, wrong, sorts, languages, pairs]
const MORE: readonly Stage[] = [alone, sorts, languages, wrong, pairs, boundaries]

/** Plans requests that show values: each operation with only what it needs. */
export const planFirst = (operations: readonly Operation[]): readonly Draft[] =>
  operations.map((operation) => ({ operation, set: neededBy(operation) }))

/** Plans further requests for operations that showed nothing: with their example, and with values that others showed. */
export const planAgain = (operations: readonly Operation[], seen: SeenValues): readonly Draft[] =>
  inTurn(operations.filter((operation) => !seen.hasContent(operation)).map((operation) => triesOf(operation, seen)))

/**
 * Plans everything else, stage by stage, taking operations in turn within each, so that even a small budget asks questions of every
 * kind. The same knowledge gives the same plan.
 */
export function planRest(operations: readonly Operation[], known: Known): readonly Draft[] {
  const asked = (stages: readonly Stage[], when: keyof Questions): readonly Draft[] =>
    stages.flatMap((stage) => inTurn(operations.map((operation) => stage(operation, known)[when])))
  return [...asked(FIRST, 'first'), ...asked(MORE, 'more')]
}

/** How many values of each input to try in order to get any content. */
const TRIES = 3

function triesOf(operation: Operation, seen: SeenValues): readonly Draft[] {
  const needed = neededBy(operation)
  const filters = filtersOf(operation, { seen })
  const isBody = operation.request.kind === 'body'
  // A body starts as its example.
  const example = isBody
    ? []
    : filters.flatMap(({ choices }) => choices.filter(([, { from }]) => from === undefined).slice(0, 1))
  const isBegun = (path: string): boolean => isBody || needed.has(path)
  const tries = Array.from({ length: TRIES }, (_, at) =>
    filters.flatMap(({ input, choices }): readonly Choice[] => {
      const one = choices.filter(([, { from }]) => from !== undefined)[at]
      return one === undefined || !isBegun(input.path) ? [] : [one]
    }),
  )
  return [example, ...tries]
    .filter((choices) => choices.length > 0)
    .map((choices) => ({ operation, set: new Map([...needed, ...choices]) }))
}

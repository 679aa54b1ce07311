import { lineText } from '../compare/coverage/line-to-see.ts'
import { linesToSee } from '../compare/coverage/lines-to-see.ts'
import type { Place, PlacesOf } from '../compare/rollout/unknown-member.ts'
import type { LinesOf } from '../compare/rollout/waive.ts'
import { explain } from '../guide/lines/explain.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'

/** Returns the lines of each mapping that calls can show: the lines that a rollout file may name. */
export function linesOf(operations: readonly Operation[]): LinesOf {
  const textsOf = oncePer((operation: Operation) => linesToSee(operation, explain(operation)).map(lineText))
  return (id) => operations.filter((operation) => operation.id === id).flatMap(textsOf)
}

/** Returns the places in the answers of each operation, and whether all members of the objects there are known. */
export function placesOf(operations: readonly Operation[]): PlacesOf {
  const placesIn = oncePer((operation: Operation): readonly Place[] =>
    explain(operation).flatMap(({ part, legacy, change }) =>
      (part === 'answer' || part === 'error') && legacy !== null && change !== 'status'
        ? [{ path: legacy, isClosed: change === 'left out' }]
        : [],
    ),
  )
  return (id) => operations.filter((operation) => operation.id === id).flatMap(placesIn)
}

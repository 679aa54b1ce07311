import { linesToSee, lineText } from '../control-plane/evidence/coverage/lines-to-see.ts'
import type { Surroundings } from '../control-plane/rollout/contradictions.ts'
import { parseRollout, type Rollout } from '../control-plane/rollout/rollout.ts'
import type { Place, PlacesOf } from '../control-plane/rollout/rule-schemas.ts'
import { ANY_MEMBER, ANY_PARAMETER, type LinesOf } from '../control-plane/rollout/rule-schemas.ts'
import { explain } from '../guide/lines/explain.ts'
import { oncePer } from '../mapping/once-per.ts'
import { type Operation, parametersOf } from '../mapping/operation.ts'

/**
 * For commands that read only what to compare: they care neither who answers, nor whether there is a legacy service, a stored state
 * or a key that signs.
 */
const ALL_THERE: Surroundings = { hasLegacy: true, hasCopy: true, isKept: true, canSign: true, serve: 'legacy' }

/** Returns a parser for rollout files about these operations. It throws a RolloutError. */
export function rolloutParser(
  operations: readonly Operation[],
  there: Surroundings = ALL_THERE,
): (text: string) => Rollout {
  const setting = { ...there, operations, linesOf: linesOf(operations), placesOf: placesOf(operations) }
  return (text) => parseRollout(text, setting)
}

/** Returns what a rollout file may waive of each mapping: the lines that calls can show, and what of their requests v1 does not get. */
function linesOf(operations: readonly Operation[]): LinesOf {
  const textsOf = oncePer((operation: Operation) => [
    ...linesToSee(operation, explain(operation)).map(lineText),
    ...notSentBy(operation),
  ])
  return (id) => operations.filter((operation) => operation.id === id).flatMap(textsOf)
}

function notSentBy({ v1, request }: Operation): readonly string[] {
  if (v1 === undefined || request.kind === 'pass-through') return []
  const values = Object.entries(parametersOf(request)).flatMap(([name, { reader }]) =>
    reader.accepts.values === undefined ? [] : [lineText({ part: 'value', legacy: name })],
  )
  const isOpen = request.kind === 'body' && !request.shape.closed
  return [...values, ...(isOpen ? [] : [ANY_MEMBER]), ...(request.kind === 'query-parameters' ? [] : [ANY_PARAMETER])]
}

/** Returns the places in the answers of each operation, and whether all members of the objects there are known. */
function placesOf(operations: readonly Operation[]): PlacesOf {
  const placesIn = oncePer((operation: Operation): readonly Place[] =>
    explain(operation).flatMap(({ part, legacy, change }) =>
      (part === 'answer' || part === 'error') && legacy !== null && change !== 'status'
        ? [{ path: legacy, isClosed: change === 'left out' }]
        : [],
    ),
  )
  return (id) => operations.filter((operation) => operation.id === id).flatMap(placesIn)
}

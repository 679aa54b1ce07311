import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Parameter } from '../../mapping/request.ts'
import type { V1Value } from '../../mapping/v1-facts.ts'

/**
 * Says in sentences what legacy calls a parameter of v1's query, and how its values differ there. Undefined if legacy does
 * not have it.
 */
export function queryInLegacy({ request }: Operation, name: string, fact: V1Value = {}): readonly string[] | undefined {
  const found = Object.entries(parametersOf(request)).find(
    ([legacy, { in: place, v1 = legacy }]) => place === 'query' && v1 === name,
  )
  if (found === undefined) return undefined
  const [legacy, parameter] = found
  return [nameInLegacy(legacy, name), ...valuesInLegacy(parameter), ...(fact.change === undefined ? [] : [fact.change])]
}

/** Says what legacy calls a parameter. The values may differ, even if the name is the same. */
export const nameInLegacy = (legacy: string, v1: string): string =>
  legacy === v1 ? 'Legacy has the same name for it.' : `In legacy: \`${legacy}\`.`

function valuesInLegacy({ reader: { renamed = {} }, retired, widened }: Parameter): readonly string[] {
  const names = Object.entries(renamed).map(([legacy, v1]) => `${v1} is \`${legacy}\``)
  return [
    ...(names.length === 0 ? [] : [`In legacy, ${names.join(', and ')}.`]),
    ...(retired === undefined ? [] : [`Legacy also accepted ${retired.values.join(', ')}.`]),
    ...(widened === undefined ? [] : [`In v1, ${widened.reason}.`]),
  ]
}

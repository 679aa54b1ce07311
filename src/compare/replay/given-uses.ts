import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'

/** Returns the kinds of given values that are used again: requests take them, or answers other than those to writes show them. */
export function usedGiven(
  operations: readonly Pick<Operation, 'request' | 'response' | 'effect'>[],
): ReadonlySet<string> {
  return new Set(
    operations.flatMap(({ request, response, effect }) => [
      ...(request.kind === 'body' ? givenIn(request.shape) : []),
      ...Object.values(parametersOf(request)).flatMap(({ givenByService: what }) => what ?? []),
      ...(effect === 'write' ? [] : shapesOf(response).flatMap(givenIn)),
    ]),
  )
}

function shapesOf(response: Operation['response']): readonly Shape[] {
  if (response.kind === 'page') return [response.rows.shape]
  return 'shape' in response ? [response.shape] : []
}

function givenIn({ rules }: Shape): readonly string[] {
  return Object.values(rules).flatMap((rule) => {
    if (rule.kind !== 'field') return []
    return rule.givenByService ?? ('shape' in rule.value ? givenIn(rule.value.shape) : [])
  })
}

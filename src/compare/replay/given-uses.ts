import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/rule.ts'

/** Returns what kinds of values that the service gives are used: taken by a request, or shown by an answer that is no write's. */
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

import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import type { PostmanEvent } from './postman.ts'

/**
 * Returns the script that runs after the answer. It checks the status, as far as the contract shows it, and keeps what later requests
 * need: the token, and what a path `needs` from this answer.
 */
export function scriptsOf(operation: Operation, needs: ReadonlySet<string>): readonly PostmanEvent[] {
  return [
    { listen: 'test', script: { type: 'text/javascript', exec: [...checks(operation), ...keeps(operation, needs)] } },
  ]
}

function checks({ response }: Operation): readonly string[] {
  const status = 'v1Status' in response ? response.v1Status : undefined
  return status === undefined
    ? ["pm.test('v1 answers with a success', () => pm.response.to.be.success)"]
    : [`pm.test('v1 answers ${status}', () => pm.response.to.have.status(${status}))`]
}

function keeps({ login, response }: Operation, needs: ReadonlySet<string>): readonly string[] {
  if (response.kind !== 'record') return []
  const kept = [
    ...(login === undefined ? [] : [keep('token', v1PathOf(response.shape, login.token))]),
    ...Object.entries(response.shape.rules).flatMap(([path, rule]) =>
      rule.kind === 'field' && rule.givenByService !== undefined && needs.has(rule.givenByService)
        ? [keep(rule.givenByService, rule.v1 ?? path)]
        : [],
    ),
  ]
  return kept.length === 0 ? [] : ['if (pm.response.code < 300) {', ...kept.map((line) => `  ${line}`), '}']
}

const keep = (variable: string, path: string): string =>
  `pm.collectionVariables.set(${JSON.stringify(variable)}, String(pm.response.json().data${path
    .split('.')
    .map((name) => `[${JSON.stringify(name)}]`)
    .join('')}))`

function v1PathOf({ rules }: Shape, legacy: string): string {
  const rule = rules[legacy]
  return rule?.kind === 'field' ? (rule.v1 ?? legacy) : legacy
}

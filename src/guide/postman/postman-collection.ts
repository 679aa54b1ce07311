import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { V1Facts } from '../../mapping/v1-facts.ts'
import { addressOf } from '../explain/explain-requests.ts'
import { generalErrorLines } from '../lines/explain-errors.ts'
import { cell, table } from '../markdown.ts'
import { folderOf, postmanId } from './postman-folder.ts'
import { givenInPath } from './postman-parameters.ts'

/** A Postman collection 2.1, as far as it is used. */
export type PostmanCollection = ReturnType<typeof postmanCollection>

/**
 * Returns a Postman collection 2.1 of the v1 calls that replace the legacy ones: a folder for each legacy operation. It holds no token
 * and no credentials, and two exports of the same mappings are the same.
 * @param facts what the contract shows of v1 besides the mappings, by operation.
 * @param v1 the address of v1; undefined: it is not known, and the variable is empty.
 */
export function postmanCollection(
  operations: readonly CompiledOperation[],
  facts: Readonly<Record<string, V1Facts>>,
  v1: URL | undefined,
) {
  const given = operations.flatMap(({ mapping }) => givenInPath(mapping))
  const needs = new Set(given.map(({ what }) => what))
  const variable = (key: string, value: string, description: string) => ({ key, value, type: 'string', description })
  return {
    info: {
      _postman_id: postmanId('v1'),
      name: 'From legacy to v1',
      description: [ABOUT, ...describeErrors(operations)].join('\n\n'),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: operations.map((operation) => folderOf(operation, operations, needs, facts[operation.mapping.id])),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      variable('baseUrl', v1 === undefined ? '' : addressOf(v1), 'Where v1 is: what comes before `/api/v1`.'),
      variable('token', '', 'The login writes it here.'),
      ...operations.flatMap(({ mapping: { login } }) =>
        login === undefined
          ? []
          : [
              variable(login.client, '', 'From the panel: the same as for legacy.'),
              variable(
                login.secret,
                '',
                'From the panel: the same as for legacy. Enter it as a current value, which is not shared.',
              ),
            ],
      ),
      ...[...new Map(given.map(({ what, example }) => [what, example]))].map(([what, example]) =>
        variable(what, example, 'The request that creates it writes it here.'),
      ),
    ],
  }
}

const ABOUT = [
  'The v1 calls that replace the legacy ones: a folder for each legacy call, which says what changes.',
  'Enter the client id and the secret key as current values of the collection’s variables, and send the login first: it keeps the token for all other requests. A query parameter that is not ticked is optional.',
  'A success is `{success, message, data}`, or `items` in place of `data` for a list, with `meta` if it has pages. An error is `{success: false, code, message, errors?}`; tell errors apart by `code`. Timestamps have milliseconds and end with `Z`.',
].join('\n\n')

function describeErrors(operations: readonly CompiledOperation[]): readonly string[] {
  const rows = generalErrorLines(operations.map(({ mapping }) => mapping))
    .filter(({ change, legacy, v1, says }) => change === 'status' && v1 !== null && (legacy !== v1 || says !== null))
    .map(({ legacy, v1, says }) => [cell(legacy ?? '—'), cell(v1 ?? '—'), cell(says ?? '')])
  return table(['Error in legacy', 'In v1', 'What the gateway does'], rows)
}

import { describe, expect, it } from 'vitest'
import { explain } from '../../src/guide/lines/explain.ts'
import type { ExplainedLine } from '../../src/guide/lines/explained-line.ts'
import { type ErrorRule, get, noContent, type Operation, operation } from '../../src/mapping/operation.ts'
import { queryParameters } from '../../src/mapping/request.ts'

const failing = (errors: Readonly<Record<string, ErrorRule>>): Operation =>
  operation('made-up', {
    says: 'Made up.',
    legacy: get('/made/up'),
    v1: get('/api/v1/made-up'),
    request: queryParameters({}),
    response: noContent(204),
    effect: 'read',
    authorization: 'none',
    errors,
  })

const errorsOf = (operation: Operation): readonly ExplainedLine[] =>
  explain(operation).filter(({ part }) => part === 'error')

const places = (lines: readonly ExplainedLine[]) =>
  lines.map(({ legacy, v1, basis }) => `${legacy ?? '-'} | ${v1 ?? '-'} | ${basis}`)

describe('an error', () => {
  it('is explained by its code first, then by the table of statuses', () => {
    const lines = errorsOf(
      failing({
        CHARGE_FAILED: { status: 500, reason: 'legacy answered 500' },
        COMPLETED: { ownMessage: true, reason: 'legacy did not find it', basis: 'assumed' },
      }),
    )
    expect(lines.slice(0, 3).map(({ legacy, v1, basis, reason, says }) => [legacy, v1, basis, reason, says])).toEqual([
      ['500', 'CHARGE_FAILED', 'documented', 'legacy answered 500', null],
      [null, 'COMPLETED', 'assumed', 'legacy did not find it', 'with legacy’s message instead of v1’s'],
      ['400', '422', 'documented', null, 'with a violation for each error'],
    ])
  })

  it('has the status of the table', () => {
    expect(places(errorsOf(failing({})).filter(({ change }) => change === 'status'))).toEqual([
      '400 | 422 | documented',
      '406 | 400 | documented',
      '400 | 400 | assumed',
      '500 | 503 | documented',
      ...[401, 403, 404, 405, 406, 409, 410, 413, 415, 416, 429, 451].map((kept) => `${kept} | ${kept} | assumed`),
      '500 | 5xx | assumed',
      '400 | - | assumed',
    ])
  })

  it('has a body whose members are explained', () => {
    expect(places(errorsOf(failing({})).filter(({ change }) => change !== 'status'))).toEqual([
      'message | message | assumed',
      'violations[].propertyPath | errors[].path | documented',
      'violations[].message | errors[].message | assumed',
      'params | params | assumed',
      '- | code | documented',
      '- | success | documented',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { type PlanOptions, planOf } from '../../../src/recordings/replay/replay.ts'
import { entry, planOptions } from './support/replaying.ts'

const planned = (request: string, changes: Partial<PlanOptions> = {}) =>
  planOf({ ...planOptions, ...changes }, entry(request))

describe('the plan for a recorded request', () => {
  it.each([
    ['a write', 'POST /api/thing', 'thing-create', 'a write'],
    ['a login', 'POST /login', 'thing-login', 'a login'],
    ['an operation without a v1 equivalent', 'POST /api/thing/charges', 'thing-charges', 'v1 has no equivalent'],
    ['an unknown path', 'GET /elsewhere', 'unknown', 'no known operation'],
    ['another method of a known path', 'DELETE /api/things', 'unknown', 'no known operation'],
    ['a path written otherwise', 'GET /api/things/', 'unknown', 'no known operation'],
  ])('%s is skipped', (_, request, id, skip) => {
    expect(planned(request)).toMatchObject({ operation: { id }, skip })
  })

  it('sends writes, and only those of the above, with --include-writes', () => {
    const sent = ['POST /api/thing', 'POST /login', 'POST /api/thing/charges', 'GET /elsewhere'].filter(
      (request) => !('skip' in (planned(request, { includeWrites: true }) ?? { skip: '' })),
    )
    expect(sent).toEqual(['POST /api/thing'])
  })

  it('keeps the query as recorded, including redacted values', () => {
    expect(planned('GET /api/things?email=~Y0RdXH8c1I1EbUYG4sWHPM&x=%20?')).toMatchObject({
      request: { path: '/api/things', query: 'email=~Y0RdXH8c1I1EbUYG4sWHPM&x=%20?' },
    })
  })

  it('removes a prefix under which clients were served', () => {
    const prefixes = ['/base', '/old/base']
    for (const path of ['/api/things', '/base/api/things', '/old/base/api/things']) {
      expect(planned(`GET ${path}?a=1`, { prefixes })).toMatchObject({ request: { path: '/api/things', query: 'a=1' } })
    }
    expect(planned('GET /basement/api/things', { prefixes })).toMatchObject({ operation: { id: 'unknown' } })
    expect(planned('GET /base', { prefixes })).toMatchObject({ operation: { id: 'unknown' } })
  })

  it('keeps a segment that looks like a prefix if the whole path is known', () => {
    expect(planned('GET /api/things', { prefixes: ['/api'] })).toMatchObject({ request: { path: '/api/things' } })
  })

  it('leaves out other operations than those to replay, also unknown paths', () => {
    const only = ['thing-login']
    expect(planned('POST /login', { only })).toMatchObject({ skip: 'a login' })
    for (const other of ['POST /api/thing', 'GET /elsewhere']) expect(planned(other, { only })).toBeUndefined()
  })
})

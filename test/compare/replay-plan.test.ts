import { describe, expect, it } from 'vitest'
import { type PlanOptions, planOf } from '../../src/compare/replay/replay-plan.ts'
import { entry, planOptions } from './support/replaying.ts'

const planned = (request: string, changes: Partial<PlanOptions> = {}) =>
  planOf({ ...planOptions, ...changes }, entry(request))

describe('what becomes of a recorded request', () => {
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

  it('of all these only writes are sent where writes are wanted', () => {
    const sent = ['POST /api/thing', 'POST /login', 'POST /api/thing/charges', 'GET /elsewhere'].filter(
      (request) => !('skip' in planned(request, { includeWrites: true })),
    )
    expect(sent).toEqual(['POST /api/thing'])
  })

  it('a query goes along as it was written, redacted values too', () => {
    expect(planned('GET /api/things?email=~Y0RdXH8c1I1EbUYG4sWHPM&x=%20?')).toMatchObject({
      request: { path: '/api/things', query: 'email=~Y0RdXH8c1I1EbUYG4sWHPM&x=%20?' },
    })
  })

  it('a prefix under which clients were served is taken off', () => {
    const prefixes = ['/base', '/old/base']
    for (const path of ['/api/things', '/base/api/things', '/old/base/api/things']) {
      expect(planned(`GET ${path}?a=1`, { prefixes })).toMatchObject({ request: { path: '/api/things', query: 'a=1' } })
    }
    expect(planned('GET /basement/api/things', { prefixes })).toMatchObject({ operation: { id: 'unknown' } })
    expect(planned('GET /base', { prefixes })).toMatchObject({ operation: { id: 'unknown' } })
  })

  it('a path that is known as it stands keeps what looks like a prefix', () => {
    expect(planned('GET /api/things', { prefixes: ['/api'] })).toMatchObject({ request: { path: '/api/things' } })
  })
})

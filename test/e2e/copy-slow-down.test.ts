import { expect, it } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { textOf } from '../support/read-html.ts'
import { type Instead, startCopied, startRecordedCopy } from '../support/recorded-copy.ts'

const IMPORT = '/api/single/point/import'
const LOGIN = '/api/v1/auth/application'

it.each([429, 503])(
  'a copy that answers the login of its account with %i and Retry-After is left alone',
  async (status) => {
    const asked: Instead = { status, body: '{"success":false}', headers: { 'retry-after': '60' } }
    const copy = await startRecordedCopy((target) => (target === LOGIN ? asked : undefined))
    const sides = await startCopied(copy.url)
    for (const name of ['a', 'b', 'c']) {
      expect((await sides.call(IMPORT, { name, shipmentId: 'G1' })).status).toBe(200)
    }
    const { operations } = await sides.compared(3)
    expect(operations.find(({ operation }) => operation === 'import-create')).toMatchObject({
      ...{ unjudged: { 'copy: asked to slow down': 3 }, verdict: 'insufficient data', differences: [], against: null },
    })
    expect(copy.received.map(({ target }) => target)).toEqual([LOGIN])
    const page = textOf((await callLegacy(sides.adminUrl, { path: '/side-by-side/import-create' })).text)
    expect(page).toContain('copy: asked to slow down')
  },
)

import { expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { startCountingCopy } from '../support/counting-copy.ts'
import { startHttpServer } from '../support/http-server.ts'
import { copyAt, ROLLOUT } from '../support/recorded-copy.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { wholeToken } from '../support/whole-token.ts'

const IMPORT = '/api/single/point/import'
const COMPLETE = '/api/single/point/import/complete'

/** A legacy service in which every client may complete every import, and v1, which is asked for logins alone. */
async function startServices() {
  let id = 100
  const legacy = await startHttpServer(({ target }, response) => {
    if (target === COMPLETE) return response.writeHead(204).end()
    const made = { id: ++id, name: `n${id}`, shipmentId: 'x', senderAddress: null, createdAt: null }
    const json = JSON.stringify(target === IMPORT ? made : { token: 'l' })
    return response.writeHead(200, { 'content-type': 'application/json' }).end(json)
  })
  const v1 = await startHttpServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"data":{"token":"v"}}'),
  )
  return { legacyUrl: legacy.url, v1Url: v1.url }
}

it('what one client imported, another cannot complete at the copy: that is not judged, and the first one’s own still is', async () => {
  const copy = await startCountingCopy()
  closeAtEnd(copy.close)
  const settings = () => ({ copy: copyAt(copy.url) })
  const sides = await startSideBySide(ROLLOUT, { ...(await startServices()), settings })
  const other = await wholeToken(() =>
    sides.gateway.call({ path: '/auth/application', body: '{"clientId":"other-client","secretKey":"s"}' }),
  )
  const asOther = { authorization: `Bearer ${other}` }
  const importId = async (name: string, headers = {}): Promise<number> =>
    (JSON.parse((await sides.call(IMPORT, { name, shipmentId: 'x' }, headers)).text) as { readonly id: number }).id

  const first = await importId('n101')
  await sides.compared(1)
  expect((await sides.call(COMPLETE, { id: first }, asOther)).status).toBe(204)
  const { operations } = await sides.compared(2)
  expect(operations.find(({ operation }) => operation === 'import-complete')).toMatchObject({
    ...{ unjudged: { 'the copy has not seen what it refers to': 1 }, totals: { requests: 1, skipped: 1 } },
    ...{ units: { distinct: 0 }, differences: [], verdict: 'insufficient data' },
  })
  expect([...copy.arrived.keys()]).toEqual(['create n101'])

  // Each client's own pairs serve it, whatever others have tried.
  const second = await importId('n102', asOther)
  await sides.compared(3)
  expect((await sides.call(COMPLETE, { id: second }, asOther)).status).toBe(204)
  expect((await sides.call(COMPLETE, { id: first })).status).toBe(204)
  const after = await sides.compared(5)
  expect(after.operations.find(({ operation }) => operation === 'import-complete')).toMatchObject({
    ...{ totals: { requests: 3, skipped: 1, mismatched: 0 }, units: { distinct: 2 } },
  })
  expect([...copy.arrived]).toEqual([
    ['create n101', 1],
    ['create n102', 1],
    ['complete n102', 1],
    ['complete n101', 1],
  ])
})

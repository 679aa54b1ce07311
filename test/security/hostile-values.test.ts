import { expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const EVIL = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`

test('the dashboard shows values, member names and calls of a difference as text', async () => {
  const legacy = await startHttpServer(({ target }, response) => {
    const row = { id: 1, [EVIL]: EVIL, priceTry: EVIL, number: EVIL }
    response.end(JSON.stringify(target.startsWith('/auth/') ? { token: 't' } : { data: [row], [EVIL]: 1 }))
  })
  const sides = await startSideBySide(
    { operations: { '*': { shadow: 1 } }, ignore: [{ operation: '*', path: 'pagination', why: EVIL }] },
    { legacyUrl: legacy.url },
  )
  const headers = { 'accept-language': `en${EVIL}` }
  await sides.call('/api/invoice/list', { search: EVIL, perPage: 1, [EVIL]: EVIL }, headers)
  await sides.call('/api/invoice/list', { perPage: 1 })
  await sides.compared(2)
  for (const path of ['/side-by-side/invoice-list', '/side-by-side', '/rollout', '/']) {
    const { text } = await callLegacy(sides.adminUrl, { path, headers: { accept: 'text/html' } })
    expect([path, text.match(/<script>|<img|onerror=alert\(2\)>/g)]).toEqual([path, null])
  }
  const { text } = await callLegacy(sides.adminUrl, { path: '/side-by-side/invoice-list' })
  // In the path, in the values, and in the example calls.
  expect(text).toMatch(/<code>[^<]*&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
  expect(text).toMatch(/<pre>curl [^<]*&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
})

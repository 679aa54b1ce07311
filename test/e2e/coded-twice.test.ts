import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

it('an answer with two codings, each in a header line of its own, is compared', async () => {
  const legacy = await startHttpServer(({ target }, response) => {
    const twice = ['Content-Encoding', 'gzip', 'Content-Encoding', 'gzip', 'Content-Type', 'application/json']
    if (target.includes('auth')) response.writeHead(200).end('{"token":"l"}')
    else response.writeHead(200, twice).end(gzipSync(gzipSync('[{"id":1}]')))
  })
  const v1 = await startHttpServer(({ target }, response) =>
    response.end(JSON.stringify(target.includes('auth') ? v1Record({ token: 'v' }) : v1Page([{ id: 1 }]))),
  )
  const sides = await startSideBySide(
    { operations: { '*': { serve: 'legacy', shadow: 1 } } },
    { v1Url: v1.url, legacyUrl: legacy.url },
  )
  expect((await sides.call('/country/all')).status).toBe(200)
  const { operations } = await sides.compared(1)
  expect(operations).toMatchObject([{ operation: 'country-list', totals: { matched: 1 }, unjudged: {} }])
})

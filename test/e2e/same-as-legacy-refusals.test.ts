import { beforeAll, describe, expect, test } from 'vitest'
import { type BothSides, type LegacyRequest, startBothSides } from '../support/both-sides.ts'
import { expectSame } from '../support/compare-answers.ts'
import { failingInputs } from '../support/failing-inputs.ts'

/** What no operation accepts: unknown tokens, malformed bodies, other methods. */
let sides: BothSides
beforeAll(async () => {
  sides = await startBothSides()
})

const posts = [
  '/auth/application',
  '/api/calculate/price/country/validate',
  '/api/consignment/document',
  '/api/single/point/import',
  '/api/single/point/import/complete',
  '/api/invoice/list',
]
const lists = [
  '/country/all',
  '/city/all',
  '/county/all',
  '/api/currency',
  '/api/unit/of/measure/all',
  '/api/export/code',
]
const languages = ['tr', 'en'] as const

/** Asks in each language, and returns the requests that one side does not refuse with this status, or not as the other. */
const notRefusedAlike = (status: number, requests: readonly LegacyRequest[]): Promise<readonly string[]> =>
  failingInputs(
    requests.flatMap((request) => languages.map((language) => ({ ...request, language }))),
    async (request) => {
      const answers = await sides.ask(request)
      expect(answers.legacy.status).toBe(status)
      expectSame(answers)
    },
  )

test.each([...posts, ...lists].filter((path) => !['/auth/application', '/country/all'].includes(path)))(
  '%s refuses no token, and an unknown one',
  async (path) => {
    const body = { id: 1, name: 'x', shipmentId: 'x', countryId: 57 }
    const request = { path, ...(posts.includes(path) && { body }) }
    expect(
      await notRefusedAlike(401, [
        { ...request, token: '' },
        { ...request, token: 'unknown' },
      ]),
    ).toEqual([])
  },
)

describe.each(posts)('%s', (path) => {
  test('refuses bodies that are no JSON object', async () => {
    // An empty body, and [], are no filters of invoices.
    const empty = path === '/api/invoice/list' ? [] : ['', '[]']
    const texts = ['x=1', '{"id":1', '{"id":1}}', '[{}]', 'null', '7', '"x"', '\ufeff{}', ...empty]
    expect(
      await notRefusedAlike(
        400,
        texts.map((text) => ({ method: 'POST' as const, path, text })),
      ),
    ).toEqual([])
  })

  test('accepts only POST', async () => expectSame(await sides.ask({ method: 'GET', path })))
})

test.each(lists)('%s accepts only GET', async (path) => {
  expectSame(await sides.ask({ method: 'POST', path, body: {} }))
})

test('nothing is at paths that nearly are those of an operation', async () => {
  const paths = ['/', '/api', '/city/all/', '/City/all', '/api/single/point/import/1/complete']
  expect(
    await notRefusedAlike(
      404,
      paths.map((path) => ({ path })),
    ),
  ).toEqual([])
})

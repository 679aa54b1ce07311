import { beforeAll, describe, expect, test } from 'vitest'
import { type BothSides, startBothSides } from '../support/both-sides.ts'
import { expectSame } from '../support/compare-answers.ts'

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

describe.each([...posts, ...lists].filter((path) => !['/auth/application', '/country/all'].includes(path)))(
  '%s',
  (path) => {
    test.each(['', 'unknown'] as const)('refuses the token %j', async (token) => {
      for (const language of languages) {
        const body = { id: 1, name: 'x', shipmentId: 'x', countryId: 57 }
        const answers = await sides.ask({ path, language, token, ...(posts.includes(path) && { body }) })
        expect(answers.legacy.status).toBe(401)
        expectSame(answers)
      }
    })
  },
)

describe.each(posts)('%s', (path) => {
  test.each(['x=1', '{"id":1', '{"id":1}}', '[{}]', 'null', '7', '"x"', '\ufeff{}'])(
    'refuses the body %j',
    async (text) => {
      for (const language of languages) {
        const answers = await sides.ask({ path, text, language })
        expect(answers.legacy.status).toBe(400)
        expectSame(answers)
      }
    },
  )

  test('accepts only POST', async () => expectSame(await sides.ask({ method: 'GET', path })))
})

test.each(posts.filter((path) => path !== '/api/invoice/list'))('%s refuses an empty body, and []', async (path) => {
  for (const text of ['', '[]']) {
    for (const language of languages) {
      const answers = await sides.ask({ method: 'POST', path, text, language })
      expect(answers.legacy.status).toBe(400)
      expectSame(answers)
    }
  }
})

test.each(lists)('%s accepts only GET', async (path) => {
  expectSame(await sides.ask({ method: 'POST', path, body: {} }))
})

test.each(['/', '/api', '/city/all/', '/City/all', '/api/single/point/import/1/complete'])(
  'answers 404 at %s',
  async (path) => expectSame(await sides.ask({ path })),
)

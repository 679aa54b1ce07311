import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { textOf } from '../support/read-html.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const INVOICES = '/api/invoice/list'

/** Two services that agree: about one invoice, none for the search `none`, and a refusal for tokens of the client `late`. */
async function services(shadow = 1) {
  const [refused, known] = [
    { success: false, error: { code: 'NO' } },
    { data: [{ id: 1 }], pagination: {} },
  ]
  const v1 = await startHttpServer(({ target, body, headers }, response) => {
    if (target.includes('auth')) return response.end(JSON.stringify(v1Record({ token: String(body) })))
    if (String(headers.authorization).includes('late')) return response.writeHead(401).end(JSON.stringify(refused))
    if (target.includes('countries'))
      return response.end(JSON.stringify(v1Page([{ id: 1, code: 'a' }], { perPage: 200 })))
    return response.end(JSON.stringify(v1Page(target.includes('none') ? [] : [{ id: 1 }], { perPage: 25 })))
  })
  const legacy = await startHttpServer(({ target, body, headers }, response) => {
    if (target.includes('auth')) return response.end(JSON.stringify({ token: JSON.parse(body).clientId }))
    if (String(headers.authorization).includes('late')) return response.writeHead(401).end('{}')
    if (target.includes('country')) return response.end('[{"id":1,"code":"a"}]')
    return response.end(JSON.stringify(body.includes('none') ? { ...known, data: [] } : known))
  })
  const ignore = ['missing', 'extra', 'changed'].map((kind) => ({
    operation: '*',
    path: '',
    kind,
    why: 'not of interest',
  }))
  const sides = await startSideBySide(
    { operations: { '*': { serve: 'legacy', shadow, confirm: false, target: 0.1 } }, ignore },
    { v1Url: v1.url, legacyUrl: legacy.url },
  )
  const page = async (operation: string): Promise<string> =>
    textOf(await (await fetch(`${sides.adminUrl}/side-by-side/${operation}`)).text()).replaceAll(/\s+/g, ' ')
  return { sides, page }
}

describe('the page of an operation says what became of its calls', () => {
  it('in numbers that add up', async () => {
    const { sides, page } = await services()
    for (let times = 0; times < 9; times++) await sides.call(INVOICES, {})
    await sides.call(INVOICES, { search: 'a' })
    await sides.call(INVOICES, { search: 'none' })
    await sides.gateway.call({ path: INVOICES, body: '{}', headers: { authorization: 'Bearer foreign' } })
    await sides.compared(12)
    const text = await page('invoice-list')
    expect(text).toContain(
      '12 calls made 2 units. 8 of 12: compared: the same request of the same client within the same hour. 1 of 12: ',
    )
    expect(text).toContain(
      'compared, and the first of its unit 2 ' +
        'compared: the same request of the same client within the same hour 8 ' +
        'not judged: the token is not ours 1 compared: legacy’s answer was empty 1 All calls 12',
    )
  })

  it('also those of a list that was read seconds before', async () => {
    const { sides, page } = await services()
    const call = () => sides.gateway.call({ method: 'GET', path: '/country/all' })
    await call()
    await sides.compared(1)
    for (let times = 0; times < 29; times++) await call()
    await sides.compared(30)
    expect(await page('country-list')).toContain(
      '30 calls made 1 unit. 29 of 30: the list was read for a comparison seconds before.',
    )
  })

  it('also those that were not selected', async () => {
    const { sides, page } = await services(0.25)
    for (let times = 0; times < 60; times++) await sides.call(INVOICES, { page: times + 1 })
    const drawn = async () =>
      (await sides.experiments()).operations.find(({ operation }) => operation === 'invoice-list')
    await expect.poll(async () => (await drawn())?.account.calls).toBe(60)
    const units = (await sides.compared((await drawn())?.totals.requests ?? 0)).operations.at(-1)?.account.units
    expect(await page('invoice-list')).toContain(
      `60 calls made ${units} ${units === 1 ? 'unit' : 'units'}. ${60 - (units ?? 0)} of 60: not selected for comparison (shadow is 25 % now).`,
    )
  })
})

it('a client whose calls both services refuse is no client of the evidence, and its calls have their limit', async () => {
  const { sides } = await services()
  const body = JSON.stringify({ clientId: 'late', secretKey: 's' })
  const { token } = JSON.parse((await sides.gateway.call({ path: '/auth/application', body })).text)
  for (let page = 1; page <= 40; page++) await sides.call(INVOICES, { page })
  for (let page = 1; page <= 20; page++) {
    await sides.gateway.call({
      path: INVOICES,
      body: `{"page":${page}}`,
      headers: { authorization: `Bearer ${token}` },
    })
  }
  const { operations } = await sides.compared(60)
  expect(operations.find(({ operation }) => operation === 'invoice-list')).toMatchObject({
    ...{ verdict: 'insufficient data', unjudged: { 'both refused: 401': 20 } },
    ...{
      units: { distinct: 40 },
      clients: { distinct: 1 },
      missing: [expect.stringMatching(/^judged 66\.6\d % of 99 %$/)],
    },
  })
})

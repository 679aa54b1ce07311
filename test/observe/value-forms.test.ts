import { expect, test } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const page = async (adminUrl: string, path: string, accept = 'text/html') =>
  (await callLegacy(adminUrl, { path, headers: { accept } })).text

test.each(['legacy', 'v1'])(
  'the operation’s page and GET /clients show the forms of values that are refused, when %s answers',
  async (serve) => {
    const sides = await startSideBySide({ operations: { '*': { serve, shadow: serve === 'legacy' ? 1 : 0 } } })
    const from = (startAt: unknown) => ({ dateAtBetween: { startAt } })
    const list = (body: object) => sides.call('/api/invoice/list', body)
    for (const startAt of ['01.06.2025', '17.11.2024', '2025-06-01T00:00:00+03:00', '2025-06-01'])
      await list(from(startAt))
    const path = '/side-by-side/invoice-list'
    await expect.poll(() => page(sides.adminUrl, path)).toMatch(/99\.99\.9999<\/code><\/td>[\s\S]*?>2</)
    const text = await page(sides.adminUrl, path)
    expect(text).toContain('Values that the mapping does not read')
    expect(text).toContain('refused with a 400')
    expect(text).toContain('9999-99-99T99:99:99+99:99')
    expect(text).toContain('demo-client')
    for (const value of ['01.06.2025', '17.11.2024']) expect(text).not.toContain(value)
    const { clients } = JSON.parse(await page(sides.adminUrl, '/clients?operation=invoice-list', '*/*'))
    expect(clients).toMatchObject([
      {
        client: 'demo-client',
        operations: {
          'invoice-list': {
            forms: {
              'dateAtBetween.startAt: refused: 99.99.9999': 2,
              'dateAtBetween.startAt: sent as another day: 9999-99-99T99:99:99+99:99': 1,
            },
          },
        },
      },
    ])
  },
)

test('nothing is said where clients send only values that are read', async () => {
  const sides = await startSideBySide({ operations: { '*': { serve: 'v1' } } })
  await sides.call('/api/invoice/list', { dateAtBetween: { startAt: '2025-06-01' } })
  await expect.poll(() => page(sides.adminUrl, '/clients?operation=invoice-list', '*/*')).toContain('dateAtBetween')
  expect(await page(sides.adminUrl, '/side-by-side/invoice-list')).not.toContain('does not read')
})

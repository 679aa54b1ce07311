import { afterAll, beforeAll, expect, test } from 'vitest'
import { countryId, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'

const path = '/api/v1/shipment/price-calculations/validate-destination'
let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

const notServed = { tr: 'Bu ülkeye taşıma hizmeti yok.', en: 'Carriers do not go to this country.' }
const unknown = { tr: 'Böyle bir kayıt yok.', en: 'There is no such record.' }
const noCity = { tr: 'Bir şehir adı olmalıdır.', en: 'Must be the name of a city.' }
const noZipCode = { tr: 'Ülkenin posta koduna uymuyor.', en: "Is not a zip code of the destination's country." }

test('a suitable destination is 200 with a Turkish message and nothing else', async () => {
  for (const [code, place] of [
    ['US', {}],
    ['US', { zipCode: '12345-6789', city: 'Springfield' }],
    ['GB', { zipCode: 'm11ae', city: 'Manchester' }],
    ['JP', { zipCode: '100-0001', city: '東京' }],
    ['IE', { zipCode: 'anything', city: 'Dublin' }],
    ['AE', { zipCode: '', city: '' }],
  ] as const) {
    const asked = { countryId: countryId(code), ...place }
    const { status, body } = await post(sandbox, path, asked, { language: 'en' })
    expect(status, code).toBe(200)
    expect(body).toEqual({ success: true, message: 'Varış noktası uygun.' })
  }
})

test('an unsuitable destination is 422 with a message for each field', async () => {
  const us = countryId('US')
  for (const [asked, errors] of [
    [{ countryId: countryId('AQ') }, { countryId: notServed }],
    [{ countryId: 250 }, { countryId: unknown }],
    [{ countryId: us, zipCode: 'SW1A 1AA' }, { zipCode: noZipCode }],
    [{ countryId: us, zipCode: '12345\n' }, { zipCode: noZipCode }],
    [
      { countryId: us, city: '%', zipCode: '1234' },
      { city: noCity, zipCode: noZipCode },
    ],
    [
      { countryId: countryId('KP'), city: '-', zipCode: '?' },
      { countryId: notServed, city: noCity },
    ],
  ] as const) {
    for (const language of ['tr', 'en'] as const) {
      const reply = await post(sandbox, path, asked, { language })
      expect(reply.status).toBe(422)
      const messages = Object.entries<Record<'tr' | 'en', string>>(errors).map(([field, says]) => [
        field,
        says[language],
      ])
      expect(reply.body).toEqual(validationFailed(language, Object.fromEntries(messages)))
    }
  }
})

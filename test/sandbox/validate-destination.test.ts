import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusesBadInput } from './bad-input.ts'
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

refusesBadInput(path, () => ({ countryId: countryId('US'), city: 'Springfield', zipCode: '12345' }), {
  countryId: 'id',
  city: 'string?null',
  zipCode: 'string?null',
})

describe('a suitable destination', () => {
  test.each([
    ['US', '12345', 'Springfield'],
    ['US', '12345-6789', 'Springfield'],
    ['DE', '10115', 'Köln'],
    ['GB', 'SW1A 1AA', 'London'],
    ['GB', 'm11ae', 'Manchester'],
    ['NL', '1012 AB', "'s-Hertogenbosch"],
    ['CA', 'K1A 0B1', 'Ottawa'],
    ['JP', '100-0001', '東京'],
    ['PL', '00-001', 'Łódź'],
    ['SE', '111 22', 'Å'],
    ['IE', 'anything', 'Dublin'],
    ['AE', '', ''],
  ])('is 200 with a Turkish message and nothing else: %s %s %s', async (code, zipCode, city) => {
    for (const language of ['tr', 'en']) {
      const { status, body } = await post(sandbox, path, { countryId: countryId(code), zipCode, city }, { language })
      expect(status).toBe(200)
      expect(body).toEqual({ success: true, message: 'Varış noktası uygun.' })
    }
  })

  test('needs only a country', async () => {
    expect((await post(sandbox, path, { countryId: countryId('US') })).status).toBe(200)
  })
})

describe('an unsuitable destination is 422 with a message for each field', () => {
  const us = countryId('US')
  test.each([
    ['a country that no carrier serves', { countryId: countryId('AQ') }, { countryId: notServed }],
    ['an unknown country', { countryId: 250 }, { countryId: unknown }],
    ['an id far beyond the countries', { countryId: Number.MAX_SAFE_INTEGER }, { countryId: unknown }],
    ['a zip code of another country', { countryId: us, zipCode: 'SW1A 1AA' }, { zipCode: noZipCode }],
    ['a zip code with text around it', { countryId: us, zipCode: '12345\n' }, { zipCode: noZipCode }],
    ['a city without a letter', { countryId: us, city: '12345' }, { city: noCity }],
    ['all at once', { countryId: countryId('KP'), city: '-', zipCode: '?' }, { countryId: notServed, city: noCity }],
    ['city and zip code', { countryId: us, city: '%', zipCode: '1234' }, { city: noCity, zipCode: noZipCode }],
    ['rules beside a wrong type', { countryId: us, city: 5, zipCode: '1' }, { city: null, zipCode: noZipCode }],
  ])('%s', async (_, body, errors) => {
    for (const language of ['tr', 'en'] as const) {
      const reply = await post(sandbox, path, body, { language })
      expect(reply.status).toBe(422)
      const messages = Object.entries(errors).map(([field, message]) => [
        field,
        message?.[language] ?? expect.any(String),
      ])
      expect(reply.body).toEqual(validationFailed(language, Object.fromEntries(messages)))
    }
  })
})

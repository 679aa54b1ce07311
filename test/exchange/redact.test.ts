import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import { CREDENTIAL_NAMES, PERSONAL_NAMES, redactedNames, redactJson } from '../../src/exchange/redact.ts'
import { redactor } from '../../src/exchange/redactor.ts'
import { deepTexts, oddTexts } from '../engine/support/odd-texts.ts'
import { isJson } from '../engine/support/scanned.ts'

const redact = redactor(Buffer.alloc(32, 7))
const redacted = (text: string): string | undefined => redact.body(Buffer.from(text))?.toString()

/** What a value becomes as a member of this name, both as JSON texts. */
const asMember = (name: string, value: string): string =>
  redacted(`{"${name}":${value}}`)?.slice(name.length + 4, -1) ?? ''
const pseudonymOf = (value: string): string => asMember('email', value)
const tokenOf = (value: string): string => asMember('token', value)

describe('members with personal data', () => {
  it.each([
    ...['firstName', 'lastName', 'company', 'email', 'phone', 'address1', 'address2'],
    ...['citizenshipNumber', 'taxNumber', 'taxIdentificationNumber', 'tcNo'],
  ])('%s becomes a pseudonym of the same form', (name) => {
    const text = redacted(`{"${name}":"Ada Byron 12","city":"Izmir"}`)
    expect(text).toMatch(new RegExp(`^{"${name}":"[A-Z][a-z]{2} [A-Z][a-z]{4} [0-9]{2}","city":"Izmir"}$`))
    expect(text).not.toContain('Ada')
  })

  it('are found at any depth', () => {
    const text = '{"data":[{"a":{"recipientAddress":{"city":"Izmir","email":"ada@example.com"}}},[[{"phone":"Ab1"}]]]}'
    expect(redacted(text)).toBe(
      text.replace('"ada@example.com"', pseudonymOf('"ada@example.com"')).replace('"Ab1"', pseudonymOf('"Ab1"')),
    )
  })

  it('stay objects and arrays, and all text and all numbers in them are replaced', () => {
    const text = '[{"company":{"a":["Büro",{"c":{"d":-71.50}}],"e":[],"f":{}},"b":"Büro"},"Büro",71.50]'
    expect(redacted(text)).toBe(text.replace('"Büro"', pseudonymOf('"Büro"')).replace('-71.50', pseudonymOf('-71.50')))
  })

  it('hide the secrets within them as secrets', () => {
    expect(redacted('{"company":[{"token":["x"]},"x"],"token":{"email":"x"}}')).toBe(
      `{"company":[{"token":${tokenOf('["x"]')}},${pseudonymOf('"x"')}],"token":${tokenOf('{"email":"x"}')}}`,
    )
  })

  it.each([
    '{"email":null}',
    '{"email":""}',
    '{ "email" : null , "phone" : "" }',
    '{"company":[true,false,{"a":null}]}',
  ])('stay where they say nothing: %s', (text) => {
    expect(redacted(text)).toBe(text)
  })

  it('are found when their names are written with escapes', () => {
    expect(redacted('{"first\\u004eame":"Ada","\\u0065mail":"x"}')).toBe(
      `{"first\\u004eame":${pseudonymOf('"Ada"')},"\\u0065mail":${pseudonymOf('"x"')}}`,
    )
  })

  it('are redacted every time they occur', () => {
    expect(redacted('{"email":"a","email":"b"}')).toBe(`{"email":${pseudonymOf('"a"')},"email":${pseudonymOf('"b"')}}`)
  })

  it.each(['Email', 'EMAIL', 'e-mail', 'emailAddress', 'firstname', 'address3', 'address', 'name', 'emai', 'email '])(
    '%s is another member',
    (name) => {
      const text = `{"${name}":"x","title":"email","list":["email","phone"]}`
      expect(redacted(text)).toBe(text)
    },
  )

  it.each(['city', 'state', 'zipCode', 'country', 'countryId'])('%s stays: prices depend on it', (name) => {
    expect(redacted(`{"${name}":"X"}`)).toBe(`{"${name}":"X"}`)
  })
})

describe('pseudonyms', () => {
  it('are equal for equal values, however and wherever these are written', () => {
    expect(pseudonymOf('"A\\u00e9\\/"')).toBe(pseudonymOf('"Aé/"'))
    expect(redacted('{"email":"x","phone":"x"}')).toBe(`{"email":${pseudonymOf('"x"')},"phone":${pseudonymOf('"x"')}}`)
    expect(redact.query('email=A%C3%A9%2F')).toBe(
      `email=${encodeURIComponent(JSON.parse(pseudonymOf('"Aé/"')) as string)}`,
    )
    expect(`"${pseudonymOf('5551234567')}"`).toBe(pseudonymOf('"5551234567"'))
  })

  it('differ for values that differ', () => {
    const values = [
      '"Ada Byron"',
      '"Ada Byrom"',
      '"ADA BYRON"',
      '"ada byron "',
      '8055512345',
      '8055512345.0',
      '8055512346',
    ]
    expect(new Set(values.map(pseudonymOf)).size).toBe(values.length)
  })

  it('have a key of their own, derived from the one that seals tokens', () => {
    const bytes = hmac(derivedKey('pseudonyms of recordings'), 'xyzxyz')
    const letters = [...bytes.subarray(0, 6)].map((byte) => String.fromCharCode(0x61 + (byte % 26)))
    expect(pseudonymOf('"xyzxyz"')).toBe(`"${letters.join('')}"`)
    const other = redactor(Buffer.alloc(32, 8)).body(Buffer.from('{"email":"xyzxyz"}'))
    expect(other?.toString()).not.toBe(redacted('{"email":"xyzxyz"}'))
  })
})

describe('secrets', () => {
  it.each(['token', 'secretKey', 'clientId', 'password', 'authorization'])('%s: none keeps its form', (name) => {
    expect(redacted(`{"data":[{"${name}":"abc"}]}`)).toMatch(
      new RegExp(`^{"data":\\[{"${name}":"~[A-Za-z0-9_-]{22}"}\\]}$`),
    )
  })

  it.each(['12345678901234567890', '-0.50', 'true', 'false', '{"a":["b",{"c":1}]}', '["a",null]', '{}', '[]', '" "'])(
    'are replaced as a whole when they hold %s',
    (value) => {
      expect(redacted(`[{"token":${value}},1.0]`)).toBe(`[{"token":${tokenOf(value)}},1.0]`)
      expect(tokenOf(value)).toMatch(/^"~[\w-]{22}"$/)
    },
  )

  it('differ where the values differ', () => {
    const values = ['"5"', '5', '5.0', '"a"', '"A"', '"a "', 'true', '"true"', '"\\ud800"', '"\\ud801"', '"\\ufffd"']
    expect(new Set(values.map(tokenOf)).size).toBe(values.length)
  })

  it('stay when empty', () => {
    expect(redacted('{"token":null,"secretKey":""}')).toBe('{"token":null,"secretKey":""}')
  })

  it('have a key of their own', () => {
    const token = hmac(derivedKey('redaction of recordings'), '"x"').toString('base64url').slice(0, 22)
    expect(tokenOf('"x"')).toBe(`"~${token}"`)
  })
})

it('a client is shown by a hash, which has a key of its own too', () => {
  const name = hmac(derivedKey('clients of recordings'), 'demo-client').toString('base64url').slice(0, 22)
  expect(redact.client('demo-client')).toBe(name)
})

it('its key is named by a hash, which has a key of its own too, so that it says nothing about the others', () => {
  expect(redact.key).toBe(derivedKey('fingerprint of the key of recordings').toString('hex').slice(0, 12))
  expect(redactor(Buffer.alloc(32, 7)).key).toBe(redact.key)
  expect(redactor(Buffer.alloc(32, 8)).key).not.toBe(redact.key)
})

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** RFC 5869, written out: extract without a salt, then expand by one block. */
function derivedKey(use: string): Buffer {
  const extracted = createHmac('sha256', Buffer.alloc(32)).update(Buffer.alloc(32, 7)).digest()
  return hmac(extracted, `legacy-gateway: ${use}\x01`)
}

describe('everything else', () => {
  it('stays byte for byte, white space and digits and escapes included', () => {
    const before =
      ' {\r\n "a" : 1.00 , "b\\u0041":"\\u0041\\ud800", "x":[ 1E+2 ,-0, 12345678901234567890 ] ,"email" :\t'
    expect(redacted(`${before}"x" } \n`)).toBe(`${before}${pseudonymOf('"x"')} } \n`)
  })

  it('is walked at any depth', () => {
    const wrong = deepTexts.filter(([, text]) => {
      const asToken = redacted(`{"token":${text}}`) === `{"token":${tokenOf(text)}}`
      const each = [redacted(text) === text, redacted(`{"email":${text}}`) !== undefined, asToken]
      return each.some((isTaken) => isTaken !== isJson(text))
    })
    expect(wrong.map(([name]) => name)).toEqual([])
  })

  it('a megabyte of opening brackets is not JSON, and causes nothing worse', () => {
    expect(redacted('['.repeat(1024 * 1024))).toBeUndefined()
  })

  it('a text that is not JSON is detected', () => {
    for (const text of oddTexts.flatMap((odd) => [
      odd,
      `{"email":${odd}}`,
      `[{"email":1,"a":${odd}}]`,
      `{"a":[${odd}`,
    ])) {
      expect(redacted(text) !== undefined, text).toBe(isJson(text))
    }
  })

  it('bytes that are not UTF-8 are not JSON', () => {
    expect(redact.body(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined()
    expect(redact.body(Buffer.from('{"email":"\xff"}', 'latin1'))).toBeUndefined()
    expect(redact.body(Buffer.alloc(0))).toBeUndefined()
  })

  it('the input is not changed', () => {
    const json = Buffer.from('{"email":"x","a":1}')
    redact.body(json)
    expect(json.toString()).toBe('{"email":"x","a":1}')
  })

  it('a view into a larger buffer is read from where it starts', () => {
    const json = Buffer.from('xx{"lastName":"x"}yy').subarray(2, -2)
    expect(redact.body(json)?.toString()).toBe(`{"lastName":${pseudonymOf('"x"')}}`)
  })
})

it('a document that is not JSON is refused with the position', () => {
  const names = redactedNames({ personal: PERSONAL_NAMES, secret: CREDENTIAL_NAMES })
  expect(() => redactJson(Buffer.from('{"a":1,}'), names, () => undefined)).toThrow(new JsonError(7))
})

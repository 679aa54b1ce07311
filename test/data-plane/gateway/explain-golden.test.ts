import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explaining } from '../../support/explainer.ts'
import { type GoldenCase, readCase, situationsOf } from '../../support/golden-case.ts'

const cases = join(import.meta.dirname, '../../cases')
const folders = readdirSync(cases, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const explain = explaining()

/** An explanation is about text that somebody pastes: it knows neither how a body was packed or encoded nor the gateway's own tokens. */
function isNotText(folder: string, situation: string): boolean {
  const { legacy, v1, answer } = readCase(join(cases, folder), situation)
  const type = String(legacy.headers['content-type'] ?? '')
  const isRefusedToken = answer.status === 401 && v1.length === 0
  return (
    answer.status === 415 ||
    legacy.headers['content-encoding'] === 'gzip' ||
    type.includes('charset=') ||
    isRefusedToken
  )
}

/**
 * Explains every golden exchange of the gateway as well. The explanation must show the request that v1 gets or, when v1
 * gets none, the answer that the client gets.
 */
describe.each(folders)('%s is explained as it is served', (folder) => {
  test.each(situationsOf(join(cases, folder)).filter((name) => !isNotText(folder, name)))('%s', (situation) => {
    const { legacy, v1, answer } = readCase(join(cases, folder), situation)
    const { requests, refusal, then } = explain({ ...legacy, body: sentBody(legacy) })
    if (v1.length === 0) {
      expect(requests).toEqual([])
      if (refusal === undefined) {
        expect(then).toContain(`answered with ${answer.status}`)
        return
      }
      expect(refusal.status).toBe(answer.status)
      if (answer.body !== undefined) expect(refusal.body).toEqual(answer.body)
      if (answer.includes !== undefined) expect(refusal.body).toMatchObject(answer.includes)
      return
    }
    expect(refusal).toBeUndefined()
    // A list may end before its last possible page, a shipment needs currencies, and only v1 knows of smaller pages.
    const sizeOf = ({ asked }: (typeof v1)[number]): string | undefined => /perPage=\d+/.exec(asked.path)?.[0]
    const [firstSize] = v1.map(sizeOf)
    const expected = firstSize === undefined ? v1 : v1.filter((exchange) => sizeOf(exchange) === firstSize)
    const both = Math.min(requests.length, expected.length)
    expect(both).toBeGreaterThan(0)
    expect(requests.slice(0, both).map(({ method, url }) => called(method, url.replace('http://v1.test', '')))).toEqual(
      expected.slice(0, both).map(({ asked }) => called(asked.method, asked.path)),
    )
    const [request] = requests
    const [first] = v1
    if (first?.asked.text !== undefined) expect(request?.body).toBe(withoutSecret(first.asked.text))
    else if (first?.asked.body !== undefined) {
      expect(JSON.parse(request?.body ?? '')).toEqual(JSON.parse(withoutSecret(JSON.stringify(first.asked.body))))
    }
    const language = first?.asked.headers['accept-language']
    // A client that sends none need not start to send it: the gateway sends the default of docs/contract.md 2.3.
    if (legacy.headers['accept-language'] !== undefined && typeof language === 'string')
      expect(request?.headers['Accept-Language']).toBe(language)
  })
})

function sentBody({ body, text, base64 }: GoldenCase['legacy']): string | Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return text ?? (body === undefined ? '' : JSON.stringify(body))
}

/** A call as one line; the order of its query parameters does not matter. */
function called(method: string, path: string): string {
  const [name = '', query = ''] = path.split('?')
  return `${method} ${name} ${query.split('&').sort().join(' ')}`
}

/** A login's body as the explanation shows it. */
const withoutSecret = (json: string): string => json.replace(/("secretKey":)"[^"]+"/, '$1"<SECRET_KEY>"')

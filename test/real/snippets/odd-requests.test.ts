import { describe, expect, it } from 'vitest'
import { SNIPPET_LANGUAGES } from '../../../src/exchange/guide-form.ts'
import type { SnippetRequest } from '../../../src/guide/snippets/snippets-of.ts'
import { runnable, runSnippets } from '../../guide/snippets/snippet-programs.ts'
import { startHttpServer } from '../../support/http-server.ts'

const ODD_TEXTS = [
  ...[
    "it's",
    "''",
    `'"'"'`,
    '"',
    '\\',
    '\\\\',
    "\\'",
    '\\"',
    '\\n',
    '\\u0041',
    '$HOME',
    `\${HOME}`,
    '$(echo no)',
    '`echo no`',
  ],
  ...['!!', '#', '@file', '%s %d', '{$x}', '#{x}', '{0}', '*', '</script>', '<?php ?>', '*/ //', '-- ', 'EOF', 'mark0'],
  ...['ğüşıöçİĞÜŞÖÇ', '日本', '🚚', '\u2028\u2029', '\u00a0', '\u007f', '\t\r\n\b\f\0', '<HOME>', ': null,', ': true,'],
]
const DIGITS = '"id": 12345678901234567890, "price": 100.00, "small": 1e-7, "long": 0.1234567890123456789, "minus": -0'
const WORDS = '"a": null, "b": true, "c": false, "d": {}, "e": []'

const BODIES = [
  '{}',
  '[]',
  '"text"',
  '0.10',
  ' {"a" : 1}\n',
  `{${DIGITS},\r\n\t${WORDS},\n  "texts": ${JSON.stringify(ODD_TEXTS, undefined, 2)}}`,
  // Whatever JSON need not escape.
  `{"ğ": "${ODD_TEXTS.join(' ').replaceAll(/["\\\p{Cc}]/gu, '')}"}`,
]

/** Queries as they are asked for, and as they arrive. */
const QUERIES = [
  ['?search=a%26b%2Bc+d%20e%3D&page=1&page=2&empty=&none', undefined],
  ['?ids%5B%5D=1&ids%5B%5D=2&rate=100%25&name=%C4%9F%F0%9F%9A%9A&dots=..', undefined],
  ['?a=%7Euser&b=%c4%9f', '?a=~user&b=%C4%9F'],
  [
    `?ids[]=1&x={1,2}&q="it's" 100%&dollar=$HOME&back=\\n\`x\`|^<ğ>#fragment`,
    '?ids%5B%5D=1&x=%7B1,2%7D&q=%22it%27s%22%20100%25&dollar=$HOME&back=%5Cn%60x%60%7C%5E%3C%C4%9F%3E',
  ],
] as const

const HEADER = `en, "it's" $HOME %s \`x\` \\ \\n {0}: null, @x`

describe('a request arrives byte for byte', () => {
  for (const language of SNIPPET_LANGUAGES) {
    const { isInstalled, title } = runnable(language)
    it.skipIf(!isInstalled)(title, async ({ signal }) => {
      const { url, received } = await startHttpServer((_, response) => response.end('{}'))
      const headers = { 'Accept-Language': HEADER, Authorization: 'Bearer <ACCESS_TOKEN>' }
      const posts = BODIES.map((body) => ({
        ...{ method: 'POST', url: `${url}/pre'fix/odd`, body },
        headers: { ...headers, 'content-type': 'application/json' },
      }))
      const gets = QUERIES.map(([query]) => ({ method: 'GET', url: `${url}/odd${query}`, headers, body: undefined }))
      const requests: readonly SnippetRequest[] = [...posts, ...gets]
      const token = `t$o'k"e\\n%s`
      const printed = await runSnippets(language, requests, { V1_TOKEN: token }, signal)

      expect(printed).toEqual(requests.map(() => ({ body: '{}', status: 200 })))
      expect(received.map(({ method, target, body }) => ({ method, target, body }))).toEqual([
        ...BODIES.map((body) => ({ method: 'POST', target: '/pre%27fix/odd', body })),
        ...QUERIES.map(([asked, arrived = asked]) => ({ method: 'GET', target: `/odd${arrived}`, body: '' })),
      ])
      for (const { headers: arrived } of received) {
        expect(arrived).toMatchObject({ 'accept-language': HEADER, authorization: `Bearer ${token}` })
      }
      expect(received.map(({ headers: { 'content-type': type } }) => type)).toEqual([
        ...BODIES.map(() => 'application/json'),
        ...QUERIES.map(() => undefined),
      ])
    })
  }
})

describe('credentials of a body come from the environment', () => {
  const body = '{"clientId": "<CLIENT_ID>", "secretKey":"<CLIENT_SECRET>","note": "<HOME>", "null": null, "n": 1.0}'
  for (const language of SNIPPET_LANGUAGES) {
    const { isInstalled, title } = runnable(language)
    it.skipIf(!isInstalled)(title, async ({ signal }) => {
      const { url, received } = await startHttpServer((_, response) => response.end('{}'))
      const variables = { CLIENT_ID: 'demo', CLIENT_SECRET: "ş$(echo no)`x`'%s", HOME: '/not/shown' }
      await runSnippets(language, [{ method: 'POST', url, headers: {}, body }], variables, signal)
      expect(received.map((request) => [request.headers['content-type'], request.body])).toEqual([
        [
          'application/json',
          `{"clientId": "demo", "secretKey":"ş$(echo no)\`x\`'%s","note": "<HOME>", "null": null, "n": 1.0}`,
        ],
      ])
      expect(received[0]?.headers.authorization).toBeUndefined()
    })
  }
})

import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { SNIPPET_LANGUAGES } from '../../../src/exchange/guide-form.ts'
import type { SnippetRequest } from '../../../src/guide/snippets/snippets-of.ts'
import { runnable, runSnippets } from '../../guide/snippets/snippet-programs.ts'
import { demo, logIn, startInMemory } from '../../sandbox/sandbox-client.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { explaining } from '../../support/explainer.ts'
import { GOOD_BODIES } from '../../support/good-bodies.ts'
import { startHttpServer } from '../../support/http-server.ts'

const QUERIES: Readonly<Record<string, string>> = {
  '/country/all': '?search=T%C3%BCrkiye&isGuarantee=true',
  '/api/currency': '?sortBy=sellingRateTry&sortOrder=ASC',
}
const BODIES: typeof GOOD_BODIES = {
  ...GOOD_BODIES,
  '/api/invoice/list': [{ search: 'DEM2025', isPayment: true, dateAtBetween: { startAt: '2025-02-01' }, perPage: 3 }],
}

interface V1Call {
  readonly operation: string
  readonly request: SnippetRequest
  /** v1's status when it succeeds. */
  readonly status: number
}

/** The v1 call of every operation that has one, in an order in which all succeed. */
function v1Calls(v1: string): readonly V1Call[] {
  const explained = explaining({ v1 })
  return operations.flatMap(({ id, legacy, v1: equivalent, response }) => {
    if (equivalent === undefined) return []
    const [body] = BODIES[legacy.path] ?? []
    const { requests } = explained({
      method: legacy.method,
      path: `${legacy.path}${QUERIES[legacy.path] ?? ''}`,
      headers: { 'accept-language': 'en' },
      body: body === undefined ? '' : JSON.stringify(body),
    })
    const status = 'v1Status' in response ? (response.v1Status ?? 200) : 200
    return requests.map((request) => ({
      operation: id,
      request: { ...request, body: request.body ?? undefined },
      status,
    }))
  })
}

/** The sandbox behind a server that keeps what passes through it. */
async function openRecorded() {
  const sandbox = await startInMemory()
  closeAtEnd(() => sandbox.close())
  const answers: { readonly body: string; readonly status: number }[] = []
  const server = await startHttpServer(async ({ method, target, headers, body }, response) => {
    const { authorization = '', 'accept-language': language = '', 'content-type': type = '' } = headers
    const answer = await fetch(`${sandbox.v1Url}${target}`, {
      method,
      headers: { authorization, 'accept-language': language, 'content-type': type },
      ...(body !== '' && { body }),
    })
    const text = await answer.text()
    answers.push({ body: text, status: answer.status })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  return { ...server, answers, token: await logIn(sandbox, demo) }
}

describe("every operation's v1 call succeeds at the sandbox, and the program prints the answer", () => {
  for (const language of SNIPPET_LANGUAGES) {
    const { isInstalled, title } = runnable(language)
    it.skipIf(!isInstalled)(title, async ({ signal }) => {
      const { url, received, answers, token } = await openRecorded()
      const calls = v1Calls(url)
      expect(new Set(calls.map(({ operation }) => operation)).size).toBe(14)
      const variables = { V1_TOKEN: token, SECRET_KEY: demo.secretKey }
      const requests = calls.map(({ request }) => request)
      const printed = await runSnippets(language, requests, variables, signal)

      expect(
        answers.map(({ status, body }, index) => [calls[index]?.operation, status, JSON.parse(body).code]),
      ).toEqual(calls.map(({ operation, status }) => [operation, status, undefined]))
      expect(printed).toEqual(answers)
      const arrived = received.map(({ method, target, headers, body }) => ({
        call: `${method} ${target}`,
        token: headers.authorization,
        language: headers['accept-language'],
        type: headers['content-type'],
        body,
      }))
      expect(arrived).toEqual(
        requests.map(({ method, url: whole, headers, body = '' }) => ({
          call: `${method} ${whole.slice(url.length)}`,
          token: headers.Authorization && `Bearer ${token}`,
          language: 'en',
          type: headers['Content-Type'],
          body: body.replace('<SECRET_KEY>', demo.secretKey),
        })),
      )
    })
  }
})

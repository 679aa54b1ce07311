import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { describeOpenapi } from '../../src/guide/openapi/legacy-openapi.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import type { Tokens } from '../support/arbitrary-headers.ts'
import { type NearRequest, nearRequests } from '../support/arbitrary-requests.ts'
import { checkAnswer } from '../support/check-answer.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { openapiDocument } from '../support/openapi-document.ts'
import { runs } from '../support/random-runs.ts'
import { openSender } from '../support/send-request.ts'
import { type StartedGateway, startGateway } from '../support/start-gateway.ts'

const REQUESTS = runs(10_000)
/** The number of requests in flight at a time. */
const AT_ONCE = 20
const SEED = 20_250_203

const document = openapiDocument(
  describeOpenapi(operations, { origin: 'http://localhost', basePath: '', version: '1' }),
)

let gateway: StartedGateway
let tokens: Tokens
beforeAll(async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const { v1Url, legacyUrl = '' } = sandbox
  gateway = await startGateway(v1Url, { legacyUrl })
  const logIn = async (client: string): Promise<string> => {
    const body = JSON.stringify({ clientId: `${client}-client`, secretKey: `${client}-secret` })
    const { text } = await gateway.call({ path: '/auth/application', body })
    return (JSON.parse(text) as { readonly token: string }).token
  }
  const good = [await logIn('demo'), await logIn('demo'), await logIn('other')]
  const [sealed = ''] = good
  const last = sealed.endsWith('A') ? 'B' : 'A'
  const bad = [
    'nobody',
    '',
    'a b',
    'x'.repeat(2_000),
    sealed.slice(0, -1) + last,
    sealed.slice(0, 40),
    `${sealed}.x`,
    'ş',
  ]
  tokens = { good, bad: bad.map((text) => Buffer.from(text).toString('latin1')) }
})

test(`all answers to ${REQUESTS} requests, most of them slightly wrong, conform to the OpenAPI document`, {
  timeout: 240_000,
}, async () => {
  const send = openSender(gateway.url)
  const outcomes = new Map<string, number>()
  const sendAndCheck = async (request: NearRequest): Promise<void> => {
    const answer = await send(request)
    const problems = checkAnswer(document, request, answer)
    if (problems.length > 0) {
      const answered = `${answer.status} ${answer.text.slice(0, 2_000)}`
      throw new Error([JSON.stringify(request), answered, ...problems].join('\n'))
    }
    const outcome = `${request.method} ${request.path} ${answer.status}`
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
  const batches = fc.array(nearRequests(document, tokens), { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(batches, async (requests) => {
      await Promise.all(requests.map(sendAndCheck))
    }),
    { numRuns: REQUESTS / AT_ONCE, seed: SEED, endOnFailure: true },
  )
  // Every operation both succeeded and was refused: the requests were neither too wrong nor too right.
  for (const { legacy, response } of operations) {
    const success = response.kind === 'no-content' ? 204 : 200
    const statuses = [...outcomes.keys()].filter((outcome) => outcome.startsWith(`${legacy.method} ${legacy.path} `))
    expect(statuses).toContain(`${legacy.method} ${legacy.path} ${success}`)
    expect(statuses.length, legacy.path).toBeGreaterThan(1)
  }
})

import { expect } from 'vitest'
import { z } from 'zod'
import { startSandbox } from '../../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { expectSame } from '../../../support/expect-same.ts'
import { answerSchema, callOf, calls, type DescribedCall, type Parameter, problemsOf } from '../described.ts'

export const CREDENTIALS = { clientId: 'demo-client', secretKey: 'demo-secret' }

export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Sends a request with the demo client's token, or with an authorization of its own. */
export type Send = (method: string, target: string, body?: unknown, authorization?: string) => Promise<Answered>

/** Starts the v1 face of a sandbox, until the file's tests have run, and logs in as described. */
export async function startDescribed(): Promise<Send> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  let token = ''
  const send: Send = async (method, target, body, authorization = `Bearer ${token}`) => {
    const answer = await fetch(sandbox.v1Url + target, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const answered = await send('POST', '/api/v1/auth/application', CREDENTIALS, '')
  expectDescribed(callOf('auth'), answered)
  token = z.object({ data: z.object({ token: z.string() }) }).parse(answered.body).data.token
  return send
}

/** Asserts that an answer has a status that is described, and the body that is described for it. */
export function expectDescribed(call: DescribedCall, { status, body }: Answered): void {
  const schema = answerSchema(call, status)
  if (schema === undefined) throw new Error(`${call.operationId} answers ${status}, which is not described`)
  const problems = problemsOf(schema, body)
  if (problems !== null) throw new Error(`${call.operationId}, ${status}: ${problems}`)
}

const refused = z.object({ code: z.literal('VALIDATION_FAILED'), errors: z.array(z.object({ path: z.string() })) })

/** Asserts a 422 whose errors name these members, and no others, in any order. */
export function expectRefused(call: DescribedCall, answered: Answered, paths: readonly string[]): void {
  expectDescribed(call, answered)
  expectSame(answered.status, 422)
  const named = refused.parse(answered.body).errors.map(({ path }) => path)
  expect(named.toSorted()).toEqual(paths.toSorted())
}

/** The value that a text in a query is, by the description: a number, a boolean or a text. */
function readText(text: string): unknown {
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}

/** Whether the description allows a text for a parameter. A text that looks like a number may be meant as either. */
export const isAllowed = ({ schema }: Parameter, text: string): boolean =>
  [readText(text), text].some((value) => problemsOf(schema, value) === null)

/** Parameters whose form the description states. The others take what the contract does not show. */
export const stated = ({ own }: DescribedCall): readonly Parameter[] =>
  own.filter((one) => one.in === 'query' && Object.keys(one.schema).length > 0 && one['x-basis'] === 'documented')

/** Whether the contract shows what such a text means: of blanks in a list of codes it says nothing. */
export const isShown = ({ name }: Pick<Parameter, 'name'>, text: string): boolean =>
  name !== 'codes' || !/\s/.test(text)

/** The calls that read lists, by their ids. */
export const lists = calls.filter(({ method }) => method === 'GET').map((call) => [call.operationId, call] as const)

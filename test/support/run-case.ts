import { expect } from 'vitest'
import type { Operation } from '../../src/mapping/operation.ts'
import { type GoldenCase, readCase, readRecordedCase } from './golden-case.ts'
import type { Reply } from './legacy-client.ts'
import { startGateway } from './start-gateway.ts'
import { type Asked, standInForV1, startStandInForV1, V1_URL } from './v1-stand-in.ts'

/** The headers that may reach v1 (docs/decisions/0031), including those of HTTP itself. */
const MAY_REACH_V1 = [
  ...['accept-language', 'authorization', 'content-type', 'traceparent', 'x-forwarded-for', 'x-request-id'],
  ...['tracestate', 'accept', 'accept-encoding', 'user-agent', 'connection', 'content-length', 'host'],
]

/** Where golden cases say that clients find v1. */
const PUBLISHED = new URL('http://v1.test')

/** Runs golden cases one after the other. */
export interface CaseRunner {
  /** Runs a golden case through the whole gateway, and checks the calls of v1 and the client's answer. */
  run(folder: string, situation: string): Promise<void>
  stop(): Promise<void>
}

/** Starts what golden cases share: a gateway that keeps no list, so that each case shows all calls of v1, and a stand-in for v1. */
export async function startCaseRunner(operations?: readonly Operation[]): Promise<CaseRunner> {
  let answers: readonly GoldenCase['v1'][number][] = []
  let before = 0
  const v1 = startStandInForV1((_, number) => {
    const answer = answers[number - before - 1]?.answers
    // A surplus call gets an answer that no case expects; the list of calls shows the call.
    return answer === undefined ? { status: 418 } : { ...answer, body: answer.text ?? answer.body ?? '' }
  })
  const gateway = await startGateway(v1.url, {
    ...(operations !== undefined && { operations }),
    settings: { referenceTtlMs: 0, referenceStaleMs: 0, v1PublicUrl: PUBLISHED },
  })
  return {
    async run(folder, situation) {
      const golden = readCase(folder, situation)
      answers = golden.v1
      before = v1.asked.length
      const reply = await gateway.call({ ...golden.legacy, body: sentBody(golden.legacy) })
      checkCase(golden, v1.asked.slice(before), reply)
    },
    async stop() {
      await gateway.close()
      v1.stop()
    },
  }
}

function checkCase(golden: GoldenCase, asked: readonly Asked[], reply: Reply): void {
  expect(asked.map(called)).toEqual(golden.v1.map(({ asked }) => called(asked)))
  for (const [index, expected] of golden.v1.entries()) compareV1Call(asked[index], expected.asked)

  const { answer } = golden
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: answer.status })
  expect(picked(reply.headers, answer.headers), reply.text).toEqual(answer.headers)
  if (answer.text !== undefined) expect(reply.text).toBe(answer.text)
  else if (answer.includes !== undefined) expect(JSON.parse(reply.text)).toMatchObject(answer.includes)
  else expect(JSON.parse(reply.text)).toEqual(answer.body)

  expect(reply.headers.deprecation).toMatch(/^@\d+$/)
  expect(reply.headers['x-request-id']).toMatch(/^\S+$/)
  if (reply.text !== '') expect(reply.headers['content-type']).toBe('application/json')
  expect(reply.headerBytes).toBeLessThan(8_192)
}

/** Runs the request half of cases that were distilled from a recording: each must become the v1 call that it names. */
export async function runRecordedCases(files: readonly string[]): Promise<void> {
  const v1 = standInForV1(() => ({ status: 503 }))
  const gateway = await startGateway(v1.url, { settings: { v1PublicUrl: PUBLISHED } })
  for (const file of files) {
    const recorded = readRecordedCase(file)
    const before = v1.asked.length
    await gateway.call({ ...recorded.legacy, body: sentBody(recorded.legacy) })
    const first = v1.asked.slice(before, before + 1)
    expect(first.map(called), file).toEqual(recorded.v1.map(({ asked }) => called(asked)))
    for (const { asked } of recorded.v1) compareV1Call(first[0] as Asked, asked)
  }
  await gateway.close()
}

function sentBody({ body, text, base64 }: GoldenCase['legacy']): string | Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return text ?? (body === undefined ? '' : JSON.stringify(body))
}

/** A call as one line; the order of its query parameters does not matter. */
function called({ method, path }: Pick<Asked, 'method' | 'path'>): string {
  const [name = '', query = ''] = path.split('?')
  return `${method} ${name} ${query.split('&').sort().join(' ')}`
}

function compareV1Call(asked: Asked | undefined, expected: GoldenCase['v1'][number]['asked']): void {
  expect(asked).toBeDefined()
  if (asked === undefined) return
  expect(picked(asked.headers, expected.headers)).toEqual(expected.headers)
  expect(Object.keys(asked.headers).filter((name) => !MAY_REACH_V1.includes(name))).toEqual([])
  expect(asked.headers.host).toBe(new URL(V1_URL).host)
  if (expected.text !== undefined) expect(asked.body).toBe(expected.text)
  else expect(asked.body === '' ? undefined : JSON.parse(asked.body)).toEqual(expected.body)
}

/** The actual values of the expected headers, null for a missing one. */
function picked(headers: Readonly<Record<string, unknown>>, expected: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.keys(expected).map((name) => [name, headers[name] ?? null]))
}

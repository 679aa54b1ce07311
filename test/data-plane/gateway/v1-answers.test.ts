import { expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { collectV1 } from '../../../src/data-plane/gateway/v1-answers.ts'
import type { GuardedUpstream } from '../../../src/data-plane/upstream/guard.ts'
import type { UpstreamRequest } from '../../../src/data-plane/upstream/upstream.ts'
import type { Operation } from '../../../src/mapping/operation.ts'

const mapping = (id: string): Operation => operations.find((operation) => operation.id === id) as Operation
const MOST = 10_000

/** A v1 that answers by path. */
function v1Of(answers: Readonly<Record<string, string | readonly [status: number, body: string]>>): GuardedUpstream {
  return {
    async call({ path }: UpstreamRequest) {
      const answer = answers[path] ?? ''
      const [status, body] = typeof answer === 'string' ? ([200, answer] as const) : answer
      return { status, body: Buffer.from(body), headers: {}, milliseconds: 1 }
    },
    lanes: () => [],
    close: async () => undefined,
  }
}

const ask = (v1: GuardedUpstream, path: string) =>
  v1.call({ method: 'GET', path, headers: {}, body: undefined, repeatable: true })

async function wholeOf(id: string, answers: Parameters<typeof v1Of>[0], asked = Object.keys(answers), most = MOST) {
  const collected = collectV1(v1Of(answers))
  for (const path of asked) await ask(collected.v1, path)
  const whole = collected.whole(mapping(id), most)
  return whole && `${whole.status === 200 ? '' : whole.status}${Buffer.from(whole.body).toString()}`
}

const page = (n: number, rows: string) => `{"success":true,"items":[${rows}],"meta":{"page":${n}}}`

test('a record is what v1 answered, byte for byte', async () => {
  const body = '{ "success":true, "data":{"id":1.00} }'
  expect(await wholeOf('price', { '/a': body })).toBe(body)
})

test('the pages of a list are joined in their order, however they arrived', async () => {
  const answers = { '/c?page=2&x=1': page(2, '{"id":3.0}'), '/c?page=1&x=1': page(1, '{"id":1}, {"id":2}') }
  expect(await wholeOf('city-list', answers)).toBe(
    '{"success":true,"items":[{"id":1},{"id":2},{"id":3.0}],"meta":{"page":1}}',
  )
  expect(await wholeOf('invoice-list', answers)).toContain('[{"id":1},{"id":2},{"id":3.0}]')
})

test('a page that was read twice counts once', async () => {
  const answers = { '/c?page=1': page(1, '1'), '/c?page=2': page(2, '2') }
  expect(await wholeOf('city-list', answers, ['/c?page=1', '/c?page=2', '/c?page=1'])).toContain('[1,2]')
})

test('an error is the answer, also of one page of a list', async () => {
  const error = '{"success":false}'
  expect(await wholeOf('price', { '/a': [422, error] })).toBe(`422${error}`)
  expect(await wholeOf('city-list', { '/c?page=1': page(1, '1'), '/c?page=2': [500, error] })).toBe(`500${error}`)
})

test('lists that fill members of a write’s answer are not the answer, also if one fails', async () => {
  const created = '{"success":true,"data":{"id":7}}'
  expect(await wholeOf('package', { '/package': [201, created], '/currencies?page=1': page(1, '1') })).toBe(
    `201${created}`,
  )
  expect(await wholeOf('package', { '/package': [201, created], '/currencies?page=1': [503, '{}'] })).toBe(
    `201${created}`,
  )
})

test('there is none if v1 was not asked, if it is too large, or if a page is not JSON', async () => {
  expect(await wholeOf('price', {})).toBeUndefined()
  expect(await wholeOf('price', { '/a': '{"success":true}' }, ['/a'], 15)).toBeUndefined()
  expect(await wholeOf('city-list', { '/c?page=1': page(1, '1'), '/c?page=2': '{"items":[' })).toBeUndefined()
})

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { afterEach, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway, until } from '../support/start-gateway.ts'

const INVOICES = '/api/invoice/list'
const everything = { operations: { '*': { shadow: 1 } } }

/** The threads that start from now on. */
function watchThreads(): readonly Worker[] {
  const started: Worker[] = []
  const note = (thread: Worker): unknown => started.push(thread)
  process.on('worker', note)
  stopWatching = () => process.off('worker', note)
  return started
}
let stopWatching: () => unknown = () => undefined
afterEach(() => stopWatching())

it('a thread that dies is replaced: its exchange is not judged, later ones are, and one log line says so', async () => {
  const threads = watchThreads()
  const sides = await startSideBySide(everything)
  await sides.call(INVOICES, { page: 1 })
  await sides.compared(1)
  for (const round of [1, 2]) {
    const thread = threads.at(-1) as Worker
    thread.postMessage = () => void thread.terminate()
    const ended = once(thread, 'exit')
    await sides.call(INVOICES, { page: 2 * round })
    await ended
    await sides.call(INVOICES, { page: 2 * round + 1 })
    await sides.compared(1 + 2 * round)
  }
  const { operations, examples } = await sides.experiments()
  expect(operations.find(({ operation }) => operation === 'invoice-list')).toMatchObject({
    totals: { requests: 5, matched: 3, skipped: 2 },
    unjudged: { 'too costly': 2 },
  })
  expect(examples).toEqual({ bytes: 0, cut: 0, dropped: 0 })
  const lines = sides.gateway.log.filter(({ msg }) => /could not be compared/.test(String(msg)))
  expect(lines).toMatchObject([{ level: 50, exchanges: 1, reason: expect.stringMatching(/the thread ended/) }])
  expect(threads).toHaveLength(3)
})

it('no thread runs while nothing is compared, and a running one ends with the gateway', async () => {
  const threads = watchThreads()
  const sides = await startSideBySide({ operations: {} })
  const plain = await startGateway(sides.v1Url)
  await plain.call({ path: '/country/all' })
  await sides.call(INVOICES, {})
  expect(threads).toEqual([])
  writeFileSync(sides.rolloutFile, JSON.stringify(everything))
  await until(() => sides.gateway.log.at(-1)?.msg === 'the rollout file is in effect')
  await sides.call(INVOICES, {})
  await sides.compared(1)
  expect(threads).toHaveLength(1)
  const [thread] = threads
  const ended = once(thread as Worker, 'exit')
  await sides.gateway.close()
  await ended
})

it('a new ignore rule applies to the next exchange, whose values are not kept', async () => {
  const sides = await startSideBySide(everything)
  await sides.plant('legacy', { path: INVOICES, kind: 'change', at: 'data[].priceTry', to: 0.5, calls: 'all' })
  await sides.call(INVOICES, { perPage: 1 })
  const { examples: before } = await sides.compared(1)
  expect(before.bytes).toBeGreaterThan(0)
  const ignore = [{ operation: 'invoice-list', path: 'data[].priceTry', why: 'prices move' }]
  writeFileSync(sides.rolloutFile, JSON.stringify({ ...everything, ignore }))
  await until(() => sides.gateway.log.at(-1)?.msg === 'the rollout file is in effect')
  await sides.call(INVOICES, { perPage: 2 })
  const { operations, examples } = await sides.compared(2)
  expect(operations).toMatchObject([{ totals: { requests: 2, ignored: 2, mismatched: 0 } }])
  expect(examples).toEqual(before)
})

it('metrics count the examples that are kept, cut and dropped', async () => {
  const sides = await startSideBySide(everything)
  await sides.plant('legacy', {
    path: INVOICES,
    kind: 'change',
    at: 'data[].number',
    to: 'x'.repeat(600),
    calls: 'all',
  })
  await sides.call(INVOICES, { perPage: 1 })
  const { examples } = await sides.compared(1)
  expect(examples).toMatchObject({ cut: 1, dropped: 0 })
  const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
  expect(text).toContain(`legacy_gateway_examples_bytes ${examples.bytes}\n`)
  expect(text).toContain('legacy_gateway_examples_cut_total 1\n')
  expect(text).toContain('legacy_gateway_examples_dropped_total 0\n')
})

it('an exchange that takes too long or gets too large an answer is not judged, and the results say why', async () => {
  const nested = `${'[1,'.repeat(490)}0${']'.repeat(490)}`
  const costly = `[${Array(500).fill(nested).join()}]`
  const large = JSON.stringify({ data: 'x'.repeat(2 * 1_024 * 1_024) })
  const v1 = await startHttpServer(({ target }, response) => {
    const price = `{"success":true,"message":"","items":${costly.replaceAll('0]', '2]')}}`
    response.end(target.includes('price') ? price : '{"success":true,"data":{"token":"t"}}')
  })
  let answer = costly
  const legacy = await startHttpServer(({ target }, response) => {
    response.end(target.includes('price') ? answer : '{"token":"t"}')
  })
  const sides = await startSideBySide(everything, { v1Url: v1.url, legacyUrl: legacy.url })
  for (const [count, body] of [costly, large].entries()) {
    answer = body
    expect((await sides.call('/api/calculate/price', {})).status).toBe(200)
    await sides.compared(count + 1)
  }
  const { operations } = await sides.compared(2)
  expect(operations).toMatchObject([{ operation: 'price', unjudged: { 'too costly': 1, 'too large': 1 } }])
})

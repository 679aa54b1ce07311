import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { MessagePort, type Worker } from 'node:worker_threads'
import { afterEach, expect, it, vi } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway, until } from '../support/start-gateway.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

const INVOICES = '/api/invoice/list'
const everything = { operations: { '*': { shadow: 1 } } }

/** The threads that start from now on. That of the state starts with its gateway. */
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
  const sides = await startSideBySide(everything)
  const threads = watchThreads()
  await sides.call(INVOICES, { page: 1 })
  await sides.compared(1)
  for (const round of [1, 2]) {
    const thread = threads.at(-1) as Worker
    const ended = once(thread, 'exit')
    // Ends as soon as it is to compare.
    const { postMessage } = MessagePort.prototype
    vi.spyOn(MessagePort.prototype, 'postMessage').mockImplementation(function (this: MessagePort, message, list) {
      if (message.name === 'compare') void thread.terminate()
      else postMessage.call(this, message, list as never)
    })
    await sides.call(INVOICES, { page: 2 * round })
    await ended
    vi.restoreAllMocks()
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
  const sides = await startSideBySide({ operations: {} })
  const plain = await startGateway(sides.v1Url)
  const threads = watchThreads()
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

it('metrics count the examples that are kept and cut; a new ignore rule applies to the next exchange, whose values are not kept', async () => {
  const sides = await startSideBySide(everything)
  const long = { kind: 'change', at: 'data[].number', to: 'x'.repeat(600), calls: 'all' }
  await sides.plant('legacy', { path: INVOICES, ...long })
  await sides.call(INVOICES, { perPage: 1 })
  const { examples: before } = await sides.compared(1)
  expect(before).toMatchObject({ bytes: expect.toSatisfy((bytes) => bytes > 0), cut: 1, dropped: 0 })
  const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
  expect(text).toContain(`legacy_gateway_examples_bytes ${before.bytes}\n`)
  expect(text).toContain('legacy_gateway_examples_cut_total 1\n')
  expect(text).toContain('legacy_gateway_examples_dropped_total 0\n')
  const ignore = [{ operation: 'invoice-list', path: 'data[].number', why: 'numbers move' }]
  writeFileSync(sides.rolloutFile, JSON.stringify({ ...everything, ignore }))
  await until(() => sides.gateway.log.at(-1)?.msg === 'the rollout file is in effect')
  await sides.call(INVOICES, { perPage: 2 })
  const { operations, examples } = await sides.compared(2)
  expect(operations).toMatchObject([{ totals: { requests: 2, ignored: 2, mismatched: 0 } }])
  expect(examples).toEqual(before)
})

it('an exchange with too large an answer is not judged, and the results say why', async () => {
  const large = JSON.stringify({ data: 'x'.repeat(2 * 1_024 * 1_024) })
  const legacy = await startHttpServer(({ target }, response) => {
    response.end(target.includes('price') ? large : '{"token":"t"}')
  })
  const v1 = await startHttpServer(({ target }, response) => {
    response.end(JSON.stringify(target.includes('price') ? v1Page([]) : v1Record({ token: 't' })))
  })
  const sides = await startSideBySide(everything, { v1Url: v1.url, legacyUrl: legacy.url })
  expect((await sides.call('/api/calculate/price', {})).status).toBe(200)
  const { operations } = await sides.compared(1)
  expect(operations).toMatchObject([{ operation: 'price', unjudged: { 'too large': 1 } }])
})

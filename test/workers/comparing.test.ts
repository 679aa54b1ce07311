import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { IgnoreRule } from '../../src/control-plane/evidence/expected/ignore-rule.ts'
import type { Corrections } from '../../src/mapping/corrections/corrections.ts'
import { openWatched, rows } from './support/watched-comparing.ts'

/** The nice value of a thread (proc(5), field 19); a thread that has just ended has none. */
function priorityOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(') ')[1]?.split(' ')[16]
  } catch {
    return undefined
  }
}

/** Measures the turns of the event loop, in processor time of this thread, so that they do not depend on a busy machine. */
function measureTurns(): { readonly longest: () => number } {
  const processorMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let longest = 0
  let last = processorMs()
  const note = (): void => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(note, 1)
  return {
    longest() {
      note()
      clearInterval(timer)
      return longest
    },
  }
}

it('a comparison in the thread finds what one in this thread finds, and its values are redacted', async () => {
  const { compare } = openWatched()
  expect(await compare(rows(1), rows(1))).toMatchObject({
    ...{ outcome: 'matched', stratum: 'content', at: 0, releases: {} },
    ...{ client: expect.any(Number), unit: expect.any(Number), input: expect.any(Number) },
  })
  const personal = (email: string) => ({ data: [{ id: 1, email }] })
  const found = await compare(personal('a@b.example'), personal('c@d.example'))
  expect(found).toMatchObject({
    outcome: 'mismatched',
    differences: [{ part: 'answer', kind: 'changed', path: 'data[].email', count: 1, standing: 'counts' }],
    examples: [],
    shown: { values: [{ path: 'data[].email', control: expect.stringMatching(/^"(?!a@b)\w@\w\.example"$/) }] },
  })
  expect(JSON.stringify(found)).not.toMatch(/a@b|c@d/)
})

it('one that takes all its time, and one that shows much, leave the event loop free', async () => {
  const { compare } = openWatched()
  await compare(rows(1), rows(1))
  const nested = (value: number) => `${'[1,'.repeat(490)}${value}${']'.repeat(490)}`
  const deep = (value: number) => `[${Array(500).fill(nested(value)).join()}]`
  const members = (value: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_990 }, (_, at) => [`${'x'.repeat(400)}${at}`, value])))
  for (const [control, candidate, result] of [
    [deep(1), deep(2), { reason: 'too costly', isUnjudged: true }],
    [members(1), members(2), { outcome: 'mismatched', shown: { values: { length: 151 } } }],
  ] as const) {
    const turns = measureTurns()
    const compared = await compare(control, candidate)
    expect(turns.longest()).toBeLessThan(50)
    expect(compared).toMatchObject(result)
  }
})

it.skipIf(process.platform !== 'linux')('calls go first: the thread alone has a lower priority', async () => {
  const { compare } = openWatched()
  await compare(rows(1), rows(1))
  const priorities = readdirSync('/proc/self/task').map((id) => Number(priorityOf(`/proc/self/task/${id}/stat`)))
  expect(priorities).toContain(10)
  expect(getPriority()).toBeLessThan(10)
})

it('rules that change hold from the next exchange on', async () => {
  let rules: readonly IgnoreRule[] = []
  const { compare } = openWatched(() => rules)
  expect(await compare(rows(1), rows(2))).toMatchObject({ outcome: 'mismatched', shown: { values: [{}] } })
  rules = [{ operation: 'invoice-list', path: 'data[].priceTry', why: 'prices move' }]
  expect(await compare(rows(1), rows(2))).toMatchObject({ outcome: 'ignored', shown: { values: [] } })
  rules = []
  expect(await compare(rows(1), rows(2))).toMatchObject({ outcome: 'mismatched' })
})

it('an exchange that is left when it is closed says so', async () => {
  const { compare, close, lost } = openWatched()
  const left = [compare(rows(1), rows(1)), compare(rows(1), rows(1))]
  await close()
  for (const compared of await Promise.all(left)) {
    expect(compared).toMatchObject({ reason: 'dropped: the gateway stopped', isUnjudged: true })
  }
  expect(lost).toEqual([])
})

it('bodies stay with those who use them, and no more of the memory around them is sent', async () => {
  const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(200_000) }))
  const { compare } = openWatched()
  expect(await compare(body, body)).toMatchObject({ outcome: 'matched' })
  expect(body.length).toBeGreaterThan(200_000)
})

it('the thread does not keep the process alive', async () => {
  const program = join(import.meta.dirname, 'support/compare-once.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  expect(stdout).toBe('matched\n')
}, 40_000)

it('compares by the mappings as they are corrected, also in a thread that was started before', async () => {
  const lost: Corrections = {
    operations: { 'invoice-list': { response: { 'data[].priceTry': { lost: 'v1 does not know it' } } } },
  }
  let current: Corrections = { operations: {} }
  const running = openWatched(undefined, undefined, () => current)
  expect((await running.compare(rows(1), rows(2))).outcome).toBe('mismatched')
  current = lost
  expect((await running.compare(rows(1), rows(2))).outcome).toBe('ignored')
  current = { operations: {} }
  expect((await running.compare(rows(1), rows(2))).outcome).toBe('mismatched')
  const startedAfter = openWatched(undefined, undefined, () => lost)
  expect((await startedAfter.compare(rows(1), rows(2))).outcome).toBe('ignored')
})

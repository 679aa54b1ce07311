import { describe, expect, test } from 'vitest'
import { openLogLines, prettyLines } from '../../src/observe/log-lines.ts'
import { until } from '../support/start-gateway.ts'

/** A sink under the control of the test; `room` is how many bytes it still accepts before it fails. */
function startLines() {
  const sink = { text: '', room: Number.POSITIVE_INFINITY, isHanging: false, writes: 0 }
  const lines = openLogLines({
    retryMs: 20,
    sink: {
      write(bytes, done) {
        sink.writes++
        if (sink.isHanging) return
        const written = Math.min(bytes.length, sink.room)
        sink.text += Buffer.from(bytes.subarray(0, written)).toString()
        sink.room -= written
        const error = written < bytes.length ? Object.assign(new Error('no space left'), { code: 'ENOSPC' }) : null
        setImmediate(done, error, written)
      },
      writeNow(bytes) {
        const written = Math.min(bytes.length, sink.room, 7)
        sink.text += Buffer.from(bytes.subarray(0, written)).toString()
        sink.room -= written
        return written
      },
    },
  })
  return { sink, lines }
}

const line = (number: number): string => `{"number":${number}}\n`
const long = `${'x'.repeat(1_000_000)}\n`

describe('log lines', () => {
  test('are written together, in order', async () => {
    const { sink, lines } = startLines()
    for (const number of [1, 2, 3]) lines.write(line(number))
    expect(sink.text).toBe('')
    await until(() => sink.text !== '')
    expect([sink.text, sink.writes]).toEqual([line(1) + line(2) + line(3), 1])
  })

  test('that do not fit on the disk are written when there is room again, from where the write stopped', async () => {
    const { sink, lines } = startLines()
    sink.room = 5
    for (const number of [1, 2]) lines.write(line(number))
    await until(() => sink.writes > 1)
    lines.write(line(3))
    expect(sink.text).toBe(line(1).slice(0, 5))
    sink.room = Number.POSITIVE_INFINITY
    await until(() => sink.text.endsWith(line(3)))
    expect(sink.text).toBe(line(1) + line(2) + line(3))
    expect(lines.dropped()).toBe(0)
  })

  test('are retried at intervals only, however many more arrive', async () => {
    const { sink, lines } = startLines()
    sink.room = 0
    lines.write(line(1))
    await until(() => sink.writes > 0)
    const before = sink.writes
    for (let number = 0; number < 100; number++) lines.write(long.slice(-40_000))
    expect(sink.writes).toBe(before)
  })

  test('wait within a limit while nobody reads them', () => {
    const { sink, lines } = startLines()
    sink.isHanging = true
    for (let number = 0; number < 20; number++) lines.write(long)
    expect(lines.dropped()).toBe(20 - 4)
  })

  test('that are dropped are reported once, at their place in the log', async () => {
    const { sink, lines } = startLines()
    sink.room = 0
    for (let number = 0; number < 6; number++) lines.write(long)
    sink.room = Number.POSITIVE_INFINITY
    await until(() => sink.text.includes('dropped'))
    lines.write(line(7))
    await until(() => sink.text.endsWith(line(7)))
    const [warning, last] = sink.text.split('\n').slice(4, -1)
    expect(JSON.parse(warning ?? '')).toMatchObject({ level: 40, dropped: 2, msg: expect.stringContaining('missing') })
    expect(`${last}\n`).toBe(line(7))
  })

  test('are written before the process ends, if there is room within a fifth of a second', () => {
    const { sink, lines } = startLines()
    lines.write(line(1))
    lines.write(line(2))
    lines.flushSync()
    expect(sink.text).toBe(line(1) + line(2))
    sink.room = 3
    lines.write(line(3))
    const started = performance.now()
    lines.flushSync()
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(sink.text).toBe(line(1) + line(2) + line(3).slice(0, 3))
  })

  test('are written again at the end when another write is under way', async () => {
    const { sink, lines } = startLines()
    sink.isHanging = true
    lines.write(line(1))
    await until(() => sink.writes > 0)
    lines.write(line(2))
    lines.flushSync()
    expect(sink.text).toBe(`\n${line(2)}`)
  })

  test('that are held back follow those that are released', async () => {
    const sink = { text: '' }
    const lines = openLogLines({
      isHeldBack: true,
      sink: {
        write(bytes, done) {
          sink.text += Buffer.from(bytes).toString()
          setImmediate(done, null, bytes.length)
        },
        writeNow: () => 0,
      },
    })
    lines.write(line(1))
    lines.release('first\n')
    expect(sink.text).toBe(`first\n${line(1)}`)
  })
})

test('nothing that clients or services wrote controls the terminal in lines for people', async () => {
  const pretty = await prettyLines()
  const path = '/a\u001b[2J\u009b2J'
  const line = pretty(
    JSON.stringify({ level: 50, time: 0, msg: 'call', path, err: { stack: `Error: ${path}\n at b` } }),
  )
  expect(line.endsWith('\n')).toBe(true)
  expect(line).toContain('/a\ufffd[2J\ufffd2J')
  expect(line).toMatch(/^ +at b$/m)
  expect(line).not.toMatch(/[^\P{Cc}\n]/u)
})

import { pino } from 'pino'
import { expect, test } from 'vitest'
import { lineWriter } from '../../src/observe/observe-call.ts'

/** The lines that a logger of a level writes, without their time. */
function lines(level: string, ...logged: ((log: pino.Logger) => void)[]): string[] {
  const written: string[] = []
  const log = pino({ level }, { write: (line) => written.push(line.replace(/"time":\d+/, '"time":0')) })
  for (const each of logged) each(log)
  return written
}

test.each([
  [{ a: 1, b: 'text', c: true, d: undefined, e: null, f: 1.5 }, 'call'],
  [{ quoted: '"\\\n\u0001', turkish: 'Işıl' }, 'a "message"'],
  [{}, 'nothing'],
])('a line equals the one that the logger writes: %j', (members, message) => {
  const [own, pinos] = lines(
    'info',
    (log) => lineWriter(log, 'info', message)(members),
    (log) => log.info(members, message),
  )
  expect(own).toBe(pinos)
  expect(own).toMatch(/^\{"level":30,"time":0,"pid":\d+,"hostname":.*\}\n$/)
})

test('no line is written below the level of the logger', () => {
  expect(lines('warn', (log) => lineWriter(log, 'info', 'call')({ a: 1 }))).toEqual([])
})

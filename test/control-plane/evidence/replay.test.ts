import { describe, expect, it } from 'vitest'
import type { RecordedExchange } from '../../../src/recordings/recorded-exchange.ts'
import type { Ask } from '../../../src/recordings/replay/replay.ts'
import { always, answered, entry, READ, replayed, WRITE } from './support/replaying.ts'

/** A side that notes its requests, and answers on demand. */
function heldSide() {
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const ask: Ask = ({ method, path, query }) => {
    asked.push(`${method} ${path}${query === '' ? '' : `?${query}`}`)
    return new Promise((resolve) => waiting.push(() => resolve(answered('[]'))))
  }
  return { asked, ask, answerNext: () => waiting.shift()?.(), waiting: () => waiting.length }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const reads = (count: number): RecordedExchange[] => Array.from({ length: count }, () => entry(READ))

describe('replaying a recording', () => {
  it('asks both sides the recorded request and compares their answers under its line', async () => {
    const requests: unknown[] = []
    const ask: Ask = async (request) => {
      requests.push({ ...request, body: Buffer.from(request.body).toString() })
      return answered('[]')
    }
    const recorded = { ...entry(`${READ}?a=1&b=x?y`, '{"page":1}'), headers: { 'accept-language': 'en' } }
    const [observed] = await replayed([recorded], { askControl: ask, askCandidate: ask })
    const sent = { method: 'GET', path: '/api/things', query: 'a=1&b=x?y', headers: { 'accept-language': 'en' } }
    expect(requests).toEqual([
      { ...sent, body: '{"page":1}' },
      { ...sent, body: '{"page":1}' },
    ])
    expect(observed).toMatchObject({ operation: 'thing-list', outcome: 'matched', line: recorded.line })
  })

  it('leaves out lines that could not be read', async () => {
    expect(await replayed([{ line: 7, problem: 'not JSON' }, entry(READ)])).toHaveLength(1)
  })

  it('keeps as many exchanges under way as allowed, and reads no further', async () => {
    const control = heldSide()
    let read = 0
    async function* entries() {
      for (const one of reads(10)) {
        read++
        yield one
      }
    }
    const done = replayed(entries(), { askControl: control.ask, concurrency: 3 })
    await turn()
    expect([control.asked.length, read]).toEqual([3, 3])
    control.answerNext()
    await turn()
    expect([control.asked.length, read]).toEqual([4, 4])
    while (control.waiting() > 0) {
      control.answerNext()
      await turn()
      expect(control.waiting()).toBeLessThanOrEqual(3)
    }
    expect(await done).toHaveLength(10)
  })

  it('waits for its pace before it asks', async () => {
    const control = heldSide()
    let pass: () => void = () => undefined
    const pace = (): Promise<void> => new Promise((resolve) => (pass = resolve))
    const done = replayed(reads(2), { askControl: control.ask, pace })
    await turn()
    expect(control.asked).toHaveLength(0)
    pass()
    await turn()
    expect(control.asked).toHaveLength(1)
    pass()
    await turn()
    expect(control.asked).toHaveLength(2)
    control.answerNext()
    control.answerNext()
    await done
  })

  it('rejects with the error when its own code fails', async () => {
    const fails = () => {
      throw new Error('a slip')
    }
    await expect(replayed(reads(9), { record: fails })).rejects.toThrow('a slip')
  })
})

describe('writes', () => {
  it('are not sent by default', async () => {
    const side = heldSide()
    const observations = await replayed([entry(WRITE, '{}')], { askControl: side.ask, askCandidate: side.ask })
    expect(observations).toMatchObject([{ operation: 'thing-create', outcome: 'skipped', reason: 'a write' }])
    expect(side.asked).toEqual([])
  })

  it('are sent once to each side, even if the control is otherwise asked twice, and even if it fails', async () => {
    for (const fails of [false, true]) {
      const asked: string[] = []
      const askOf =
        (side: string): Ask =>
        async () => {
          asked.push(side)
          if (fails) throw new Error('no answer')
          return answered('{}')
        }
      await replayed([entry(WRITE, '{}')], {
        plan: { includeWrites: true },
        repeatControl: true,
        askControl: askOf('control'),
        askCandidate: askOf('candidate'),
      })
      expect(asked).toEqual(['control', 'candidate'])
    }
  })

  it('wait for everything before them, and everything after waits for them', async () => {
    const control = heldSide()
    const done = replayed([entry(`${READ}?1`), entry(`${READ}?2`), entry(WRITE, '{}'), entry(`${READ}?3`)], {
      plan: { includeWrites: true },
      askControl: control.ask,
    })
    await turn()
    expect(control.asked).toEqual([`${READ}?1`, `${READ}?2`])
    control.answerNext()
    await turn()
    expect(control.asked).toHaveLength(2)
    control.answerNext()
    await turn()
    expect(control.asked.slice(2)).toEqual([WRITE])
    control.answerNext()
    await turn()
    expect(control.asked.slice(3)).toEqual([`${READ}?3`])
    control.answerNext()
    expect(await done).toHaveLength(4)
  })
})

describe('a control that is asked twice', () => {
  it('shows which data changed between two answers', async () => {
    let times = 0
    const observations = await replayed([entry(READ)], {
      repeatControl: true,
      askControl: async () => answered(`[{"at":"${times++}"}]`),
      askCandidate: always('[{"at":"1"}]'),
    })
    expect(observations[0]?.differences).toMatchObject([{ kind: 'changed', path: '[].at', standing: 'drift' }])
    expect(observations[0]?.outcome).toBe('ignored')
  })

  it('is asked once without --repeat-control, or if it gave no answer', async () => {
    for (const [repeatControl, fails, times] of [
      [false, false, 1],
      [true, true, 1],
      [true, false, 2],
    ] as const) {
      let asked = 0
      const askControl: Ask = async () => {
        asked++
        if (fails) throw Object.assign(new Error('hidden'), { kind: 'timeout' })
        return answered('[]')
      }
      await replayed([entry(READ)], { repeatControl, askControl })
      expect(asked).toBe(times)
    }
  })
})

describe('a side that fails', () => {
  const failing = (kind?: string): Ask => {
    return async () => {
      throw Object.assign(new Error('at 10.0.0.1'), kind === undefined ? {} : { kind })
    }
  }

  it.each([
    ['gives no answer in time', { askControl: failing('timeout') }, 'control: timeout'],
    ['fails in a way that has no name', { askControl: failing() }, 'control: no answer'],
    ['is down', { askControl: always('{}', 500) }, 'control: 500'],
    ['answers no JSON', { askControl: always('<html>') }, 'control: malformed: HTML or XML'],
  ])('as the control %s: failed, and not compared', async (_, sides, reason) => {
    const observations = await replayed([entry(READ)], sides)
    expect(observations).toMatchObject([{ outcome: 'failed', reason, isUnjudged: true, differences: [] }])
  })

  it.each([
    ['cannot be reached', failing('unreachable'), 'unreachable'],
    ['is down, and the gateway says so', always('{}', 500, 'unavailable'), 'unavailable'],
    ['answers no JSON', always('<html>'), 'malformed'],
  ])('as the candidate %s: that is a difference, and no side is asked again', async (_, askCandidate, failure) => {
    let asked = 0
    const counted: Ask = (request) => {
      asked++
      return askCandidate(request)
    }
    expect(await replayed([entry(READ)], { askCandidate: counted })).toMatchObject([
      { outcome: 'mismatched', differences: [{ kind: 'failure', details: { [failure]: 1 } }] },
    ])
    expect(asked).toBe(1)
  })

  it('and alone refuses the token: that is a difference in status', async () => {
    const refusing = always('{}', 401)
    expect(await replayed([entry(READ)], { askControl: refusing })).toMatchObject([
      { outcome: 'mismatched', differences: [{ kind: 'status', details: { '401 → 200': 1 } }] },
    ])
    expect(await replayed([entry(READ)], { askControl: refusing, askCandidate: refusing })).toMatchObject([
      { outcome: 'skipped', reason: 'both refused: 401' },
    ])
  })

  it('with a business error is compared: that is an answer', async () => {
    const observations = await replayed([entry(READ)], {
      askControl: always('{"message":"x"}', 406),
      askCandidate: always('{"message":"x"}', 400),
    })
    expect(observations).toMatchObject([{ outcome: 'mismatched', differences: [{ kind: 'status', path: '' }] }])
  })
})

describe('a replay that is stopped', () => {
  it('asks nothing more, and does not count exchanges under way', async () => {
    const stop = new AbortController()
    const control = heldSide()
    const candidate = heldSide()
    const done = replayed(reads(10), {
      askControl: control.ask,
      askCandidate: candidate.ask,
      concurrency: 2,
      repeatControl: true,
      signal: stop.signal,
    })
    await turn()
    control.answerNext()
    candidate.answerNext()
    await turn()
    control.answerNext()
    await turn()
    const asked = control.asked.length
    stop.abort()
    while (control.waiting() + candidate.waiting() > 0) {
      control.answerNext()
      candidate.answerNext()
      await turn()
    }
    expect(await done).toEqual([])
    expect(control.asked).toHaveLength(asked)
  })

  it('does not send exchanges that waited for their pace', async () => {
    const stop = new AbortController()
    const control = heldSide()
    const pace = async (): Promise<void> => stop.abort()
    expect(await replayed(reads(3), { askControl: control.ask, pace, signal: stop.signal })).toEqual([])
    expect(control.asked).toEqual([])
  })
})

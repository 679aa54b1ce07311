import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CutoverLease } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { cutoverStore } from '../../../../src/control-plane/cutover/store/cutover-store-on.ts'
import { sqliteEngine } from '../../../../src/control-plane/store/sqlite-engine.ts'
import { stateFolder } from '../../../support/comparing-process.ts'
import { decision } from './support/made-up.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const LEASE = 5 * SECOND

/** Two processes on one file and one machine, whose clock goes as it is told. */
function twoGateways() {
  const file = join(stateFolder(), 'state.db')
  let at = Date.parse('2027-03-04T05:06:07.000Z')
  const open = (name: string) => {
    const engine = sqliteEngine({ path: file, holder: name, now: () => new Date(at) })
    onTestFinished(engine.close)
    // A holder that closes the file gives the lease back; the next call opens the file again.
    const log = { warn: () => undefined }
    return { ...cutoverStore({ engine, process: name, isShared: false, log }), release: engine.close }
  }
  return {
    ...{ file, one: open('one'), other: open('other') },
    /** Sets the clock ahead, or back. */
    pass(milliseconds: number) {
      at += milliseconds
    },
    until: (): unknown => {
      const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
      try {
        return db.prepare('SELECT until FROM lease').get()?.until
      } finally {
        db.close()
      }
    },
  }
}

const held = async (lease: Promise<CutoverLease | undefined>): Promise<CutoverLease> => {
  const granted = await lease
  if (granted === undefined) throw new Error('the lease is not granted')
  return granted
}

describe('the lease in an SQLite file', () => {
  it('passes on five seconds after its holder was killed, not earlier', async () => {
    const { one, other, pass } = twoGateways()
    await one.lease()
    pass(LEASE - 1)
    expect(await other.lease()).toBe(undefined)
    pass(1)
    expect(await other.lease()).toEqual({ holder: 'other', token: '2' })
  })

  it('is written every third second by a holder that asks each second, and stays its own', async () => {
    const { one, other, pass, until } = twoGateways()
    const written = new Set<unknown>()
    for (let second = 0; second < 12; second++) {
      expect(await one.lease()).toEqual({ holder: 'one', token: '1' })
      expect(await other.lease()).toBe(undefined)
      written.add(until())
      pass(SECOND)
    }
    expect(written.size).toBe(4)
  })

  it('that was returned is taken in the same moment', async () => {
    const { one, other } = twoGateways()
    await one.lease()
    one.release()
    expect(await other.lease()).toEqual({ holder: 'other', token: '2' })
    // Who has lost it returns nothing.
    one.release()
    expect(await one.lease()).toBe(undefined)
  })

  it('lets a holder that was paused decide, send and settle nothing, whenever it comes back', async () => {
    const { one, other, pass } = twoGateways()
    const paused = await held(one.lease())
    await one.decide(decision(1), paused)
    const [message] = (await one.due(paused)).messages
    pass(LEASE)
    // Nobody has taken it yet.
    expect(await one.decide(decision(2), paused)).toBe('stale')
    const taken = await held(other.lease())
    expect(await one.decide(decision(2), paused)).toBe('stale')
    expect(await one.due(paused)).toEqual({ messages: [], givenUp: 0 })
    await one.settle(message?.id ?? '', 'delivered', paused)
    expect((await other.due(taken)).messages).toEqual([message])
    expect(await other.decide(decision(2), taken)).toBe('stored')
    // The token of its next lease is another one.
    other.release()
    expect(await held(one.lease())).toEqual({ holder: 'one', token: '3' })
    expect(await one.decide(decision(3), paused)).toBe('stale')
  })

  it.each([
    ['ahead', HOUR],
    ['back', -HOUR],
  ])('passes on at once when the clock leaps %s, and back again, and never has two holders', async (_, leap) => {
    const { one, other, pass } = twoGateways()
    const first = await held(one.lease())
    pass(leap)
    const second = await held(other.lease())
    expect(await one.lease()).toBe(undefined)
    pass(-leap)
    const third = await held(one.lease())
    expect(await other.lease()).toBe(undefined)
    expect([first, second, third].map(({ token }) => token)).toEqual(['1', '2', '3'])
    expect(await one.decide(decision(1), first)).toBe('stale')
    expect(await other.decide(decision(1), second)).toBe('stale')
    expect(await one.decide(decision(1), third)).toBe('stored')
  })
})

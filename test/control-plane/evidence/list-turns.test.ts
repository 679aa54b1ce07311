import { describe, expect, it } from 'vitest'
import { listTurns, NO_TURN } from '../../../src/control-plane/evidence/called-lists.ts'

/** Turns at a time that the test sets. Calls are named by their lists. */
function bed(most = 100) {
  let now = 0
  const dropped: number[] = []
  const turns = listTurns<number>(
    () => now,
    (list) => dropped.push(list),
  )
  return {
    turns,
    dropped,
    at(ms: number) {
      now = ms
    },
    add: (list: number, client = 'a') => turns.add(list, client, list, most),
    /** Reads what comes next, from its beginning to its end. */
    read() {
      const list = turns.next()
      if (list !== undefined) turns.ended()
      return list
    },
  }
}

describe('lists take turns', () => {
  it('one at a time', () => {
    const { add, turns } = bed()
    expect([add(1), add(2)]).toEqual([undefined, undefined])
    expect(turns.next()).toBe(1)
    expect(turns.next()).toBeUndefined()
    turns.ended()
    expect(turns.next()).toBe(2)
  })

  it('each at most every ten seconds: a call before that does not wait, and the reason is true', () => {
    const { add, read, at } = bed()
    add(1)
    read()
    at(9_999)
    expect(add(1)).toBe(NO_TURN.lately)
    expect(add(2)).toBeUndefined()
    expect(add(2)).toBe(NO_TURN.waits)
    at(10_000)
    expect(add(1)).toBeUndefined()
  })

  it('those that were never read come first, then the one read longest ago', () => {
    const { add, read, at } = bed()
    for (const [index, list] of [1, 2, 3].entries()) {
      at(index)
      add(list)
      read()
    }
    at(20_000)
    for (const list of [3, 2, 1, 4, 5]) add(list)
    expect([read(), read(), read(), read(), read(), read()]).toEqual([4, 5, 1, 2, 3, undefined])
  })

  it('and a client that asks for ever new ones takes no place of another client', () => {
    const { add, read, dropped } = bed(10)
    add(1_000, 'quiet')
    for (let list = 0; list < 500; list++) add(list, 'loud')
    add(1_001, 'quiet')
    const all: number[] = []
    for (let list = read(); list !== undefined; list = read()) all.push(list)
    expect(all).toHaveLength(10)
    expect(all).toEqual(expect.arrayContaining([1_000, 1_001]))
    expect(dropped).toHaveLength(492)
    expect(dropped).not.toContain(1_000)
  })
})

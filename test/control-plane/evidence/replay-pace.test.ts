import { describe, expect, it } from 'vitest'
import { pacer } from '../../../src/recordings/replay/replay.ts'

/** A clock that only sleeping advances. */
function clock() {
  let time = 0
  return {
    now: () => time,
    sleep: async (milliseconds: number) => {
      time += milliseconds
    },
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('a rate', () => {
  it('spaces the starts of exchanges evenly', async () => {
    const time = clock()
    const pace = pacer(10, time)
    const begun: number[] = []
    for (let index = 0; index < 4; index++) {
      await pace()
      begun.push(time.now())
    }
    expect(begun).toEqual([0, 100, 200, 300])
  })

  it('does not make up for idle time', async () => {
    const time = clock()
    const pace = pacer(10, time)
    await pace()
    time.pass(10_000)
    const begun: number[] = []
    for (let index = 0; index < 3; index++) {
      await pace()
      begun.push(time.now())
    }
    expect(begun).toEqual([10_000, 10_100, 10_200])
  })

  it('may be below one per second, or unlimited', async () => {
    const time = clock()
    const slow = pacer(0.5, time)
    await slow()
    await slow()
    expect(time.now()).toBe(2_000)
    const free = pacer(undefined, time)
    await free()
    await free()
    expect(time.now()).toBe(2_000)
  })
})

import { describe, expect, it } from 'vitest'
import { lookSampler } from '../../src/planes/look-sampler.ts'

const DAY_MS = 86_400_000

function bed() {
  const sampler = lookSampler(['a', 'b'])
  /** Calls of one second. Returns how many are looked at. */
  const calls = (callers: readonly string[], operation = 'a', isUnidentified = false): number =>
    callers.filter((caller) => sampler.wants(operation, caller) && sampler.takes(operation, caller, isUnidentified))
      .length
  return { sampler, calls }
}
const times = (count: number, caller = 'shop'): readonly string[] => Array.from({ length: count }, () => caller)

describe('of a client and operation', () => {
  it('the first hundred calls of a day are looked at, then one a second', () => {
    const { sampler, calls } = bed()
    sampler.nextSecond(DAY_MS)
    expect(calls(times(150))).toBe(100)
    expect(calls(times(20), 'b')).toBe(20)
    for (let n = 0; n < 3; n++) {
      sampler.nextSecond(DAY_MS)
      expect(calls(times(20))).toBe(1)
    }
    sampler.nextSecond(2 * DAY_MS)
    expect(calls(times(30))).toBe(30)
  })

  it('no call is looked at that nobody wanted but a recording, once they have been', () => {
    const { sampler } = bed()
    expect(times(150).filter((caller) => sampler.takes('a', caller, false)).length).toBe(100)
  })
})

it('of all clients, at most 200 calls a second are looked at, and 20 of those that no service accepted', () => {
  const { sampler, calls } = bed()
  const many = Array.from({ length: 1_000 }, (_, n) => `Bearer ${n} signed`)
  expect(calls(many, 'a', true)).toBe(20)
  expect(calls(many)).toBe(180)
  sampler.nextSecond(DAY_MS)
  expect(calls(many)).toBe(200)
})

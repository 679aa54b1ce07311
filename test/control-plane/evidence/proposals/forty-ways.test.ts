import { describe, expect, it } from 'vitest'
import { fakeServices } from './support/forty-ways.ts'
import { Learner } from './support/learning.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
/** The exchanges of all operations together. */
const EXCHANGES = 300

describe('services that deviate in forty ways', () => {
  it('300 exchanges give at least nine of ten lines for certain, and none that is certain is wrong', () => {
    for (const seed of SEEDS) {
      const services = fakeServices(seed)
      let [right, milliseconds, bytes] = [0, 0, 0]
      const wrong: unknown[] = []
      const open: unknown[] = []
      for (const { mapping, ways, answer } of services) {
        const learner = new Learner(mapping, 20)
        for (let exchange = 0; exchange < EXCHANGES / services.length; exchange++) {
          const { legacy, v1 } = answer()
          learner.takeValues(legacy, v1, { input: (exchange % 14) * 1_000_003, client: exchange % 3 })
        }
        const { certain } = learner
        const expected = new Map(ways.map(({ legacy, line }) => [legacy, line]))
        for (const [legacy, line] of Object.entries(certain)) {
          const isRight = JSON.stringify(sorted(line)) === JSON.stringify(sorted(expected.get(legacy)))
          if (isRight) right++
          else wrong.push([mapping.id, legacy, line])
        }
        for (const each of learner.report.proposals) if (each.certainty !== 'certain') open.push(each)
        for (const each of learner.report.unexplained) open.push(each)
        milliseconds += learner.milliseconds
        bytes = Math.max(bytes, learner.proposals.bytes(mapping.id))
      }
      const all = services.flatMap(({ ways }) => ways).length
      console.log(
        `seed ${seed}: ${right} of ${all} certain, ${(milliseconds / EXCHANGES).toFixed(2)} ms an exchange, ${bytes} bytes`,
      )
      if (process.env.SHOW) console.log(JSON.stringify(open, null, 1))
      expect(wrong).toEqual([])
      expect(right).toBeGreaterThanOrEqual(Math.ceil(0.9 * all))
    }
  })
})

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

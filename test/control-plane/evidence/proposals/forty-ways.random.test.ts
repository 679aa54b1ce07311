import { describe, expect, it } from 'vitest'
import { expectationsOf } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import { explain } from '../../../../src/guide/lines/explain.ts'
import { correct } from '../../../../src/mapping/corrections/correct.ts'
import { parseCorrections } from '../../../../src/mapping/corrections/parse-corrections.ts'
import { runs } from '../../../support/random-runs.ts'
import { fakeServices } from './support/forty-ways.ts'
import { counting, json, Learner, legacyBody, rewritten, v1Body } from './support/learning.ts'

const SEEDS = Array.from({ length: Math.max(runs(10), 2) }, (_, seed) => seed + 1)
/** The exchanges of all operations together. */
const EXCHANGES = 300

describe('services that deviate in forty ways', () => {
  it('300 exchanges give at least nine of ten lines for certain, and none that is certain is wrong', {
    timeout: 300_000,
  }, () => {
    for (const seed of SEEDS) {
      const services = fakeServices(seed)
      let [right, milliseconds, bytes] = [0, 0, 0]
      const wrong: unknown[] = []
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
        milliseconds += learner.milliseconds
        bytes = Math.max(bytes, learner.proposals.bytes(mapping.id))
      }
      const all = services.flatMap(({ ways }) => ways).length
      console.log(
        `seed ${seed}: ${right} of ${all} certain, ${(milliseconds / EXCHANGES).toFixed(2)} ms an exchange, ${bytes} bytes`,
      )
      expect(wrong).toEqual([])
      expect(right).toBeGreaterThanOrEqual(Math.ceil(0.9 * all))
    }
  })
})

describe('the file that proposals print', () => {
  it('makes v1’s answers equal to legacy’s, but for constants and losses', () => {
    for (const seed of SEEDS.slice(0, 1)) {
      for (const { mapping, answer } of fakeServices(seed)) {
        const learner = new Learner(mapping, 20)
        for (let exchange = 0; exchange < 60; exchange++) {
          const { legacy, v1 } = answer()
          learner.takeValues(legacy, v1, { input: exchange, client: exchange % 3 })
        }
        const [corrected] = correct([mapping], parseCorrections(JSON.stringify(learner.report.file)))
        if (corrected === undefined) throw new Error('no operation')
        const left = new Set<string>()
        for (let exchange = 0; exchange < 20; exchange++) {
          const { legacy, v1 } = answer()
          const candidate = rewritten(corrected, v1Body(mapping, v1))
          const found = counting(
            expectationsOf(corrected, explain(corrected)),
            json(legacyBody(mapping, legacy)),
            json(candidate),
          )
          for (const { kind, path } of found) left.add(`${kind} ${path}`)
        }
        expect([...left], mapping.id).toEqual(mapping.id === 'made-page' ? ['missing data[].country'] : [])
      }
    }
  })
})

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

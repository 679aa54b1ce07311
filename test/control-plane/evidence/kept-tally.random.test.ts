import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keptTally } from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { runs } from '../../support/random-runs.ts'
import { criteria, lines, logged, newFile, storeOf } from './support/keeping.ts'
import { observe, tallyOf } from './support/observing.ts'

it('everything counts once, regardless of how a write ends, even if its end is unknown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('count', 'works', 'fails', 'works, but fails'), { maxLength: 30 }),
      async (steps) => {
        const path = newFile()
        const next: string[] = []
        const db = storeOf(path)
        const store = storeOf(path, {
          async add(portion) {
            const fate = next.shift() ?? 'works'
            if (fate === 'fails') throw new StateError('no', false)
            await db.add(portion)
            if (fate === 'works, but fails') throw new StateError('who knows', false)
          },
        })
        const tally = await keptTally({ store, criteria, log: logged().log, everyMs: 1 })
        const direct = tallyOf(lines)
        for (const step of steps) {
          if (step === 'count') {
            const seen = observe({
              control: { a: 1, gone: 1 },
              candidate: { a: steps.length % 2 },
              expectations: lines,
            })
            tally.record(seen)
            direct.record(seen)
          } else {
            next.push(step)
            await new Promise((resolve) => setTimeout(resolve, 2))
          }
        }
        await tally.close(1_000)
        expect(tally.snapshot()).toEqual(direct.snapshot())
        const again = await keptTally({ store: storeOf(path), criteria, log: logged().log })
        expect(again.snapshot()).toEqual(direct.snapshot())
        await again.close(0)
        await db.close(0)
      },
    ),
    { numRuns: runs(25) },
  )
})

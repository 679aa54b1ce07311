import { expect, it } from 'vitest'
import { keptTally } from '../../../src/control-plane/evidence/tally/kept-tally.ts'
import { criteria, lines, logged, newFile, storeOf } from './support/keeping.ts'
import { observe, reply } from './support/observing.ts'

const MONDAY = new Date('2027-03-01T23:59:59Z')
const TUESDAY = new Date('2027-03-02T00:00:00Z')

const equal = { control: { a: 1 }, candidate: { a: 1 } }
const differing = { control: { a: 1 }, candidate: { a: 2 } }
const declaredLoss = { control: { gone: 1 }, candidate: {}, expectations: lines }

it('the calls of each day are counted by how they compared when they were made, over restarts', async () => {
  const path = newFile()
  const open = () => keptTally({ store: storeOf(path), criteria, log: logged().log })
  const first = await open()
  for (const seen of [equal, declaredLoss, differing]) first.record(observe({ ...seen, at: MONDAY }))
  await first.close(1_000)
  const second = await open()
  for (const seen of [equal, differing]) second.record(observe({ ...seen, operation: 'another', at: TUESDAY }))
  second.record(observe({ ...equal, at: MONDAY }))
  await second.close(1_000)
  const third = await open()
  expect(await third.days()).toEqual([
    { day: '2027-03-01', compared: 4, matched: 3 },
    { day: '2027-03-02', compared: 2, matched: 1 },
  ])
  await third.close(0)
})

it('what has no match rate is in none of the days: errors, failures of legacy, calls of no time', async () => {
  const tally = await keptTally({ store: storeOf(newFile()), criteria, log: logged().log })
  const refused = reply({ message: 'no' }, 400)
  tally.record(observe({ control: refused, candidate: refused, at: MONDAY }))
  tally.record(observe({ control: reply({}, 503), candidate: { a: 1 }, at: MONDAY }))
  tally.record(observe(equal))
  await tally.reset({ operation: 'made-up', by: 'Ada', why: 'to store' })
  expect(await tally.days()).toEqual([])
  tally.record(observe({ ...equal, at: MONDAY }))
  await tally.reset({ operation: 'made-up', by: 'Ada', why: 'to store' })
  expect(await tally.days()).toEqual([{ day: '2027-03-01', compared: 1, matched: 1 }])
  await tally.close(0)
})

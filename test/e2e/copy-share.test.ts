import { expect, it } from 'vitest'
import { ROLLOUT, startCopied, startRecordedCopy } from '../support/recorded-copy.ts'

const IMPORT = '/api/single/point/import'
const COMPLETE = '/api/single/point/import/complete'
const WRITES = 200
/** Six standard deviations around the half: who draws each write with one half is outside once in 500 million runs. */
const HALF = { least: 58, most: 142 }

it('with a shadow of 0.5, about half of the writes go to the copy, each once; the others are counted as not drawn', async () => {
  const copy = await startRecordedCopy()
  const half = { ...ROLLOUT.operations['*'], shadow: 0.5 }
  const limits = { copyWritesPerSecond: 1_000, queue: WRITES }
  const sides = await startCopied(copy.url, { operations: { '*': half }, limits })
  const names = Array.from({ length: WRITES }, (_, nth) => `import ${nth}`)
  for (const name of names) expect((await sides.call(IMPORT, { name, shipmentId: 'G1' })).status).toBe(200)
  const importsOf = async () =>
    (await sides.experiments()).operations.find(({ operation }) => operation === 'import-create')
  await expect.poll(async () => (await importsOf())?.account.calls).toBe(WRITES)

  const sent = copy.received
    .filter(({ target }) => target.endsWith('/single-point-imports'))
    .map(({ body }) => (JSON.parse(body) as { readonly name: string }).name)
  expect(sent.length).toBeGreaterThanOrEqual(HALF.least)
  expect(sent.length).toBeLessThanOrEqual(HALF.most)
  expect(new Set(sent).size).toBe(sent.length)
  // In the order in which they were made, from the first ones to the last.
  expect(sent).toEqual(names.filter((name) => sent.includes(name)))
  expect(await importsOf()).toMatchObject({
    ...{ shadow: 0.5, unjudged: {}, verdict: 'ready', against: 'a copy' },
    account: { calls: WRITES, notDrawn: WRITES - sent.length, compared: sent.length, units: sent.length, skips: {} },
  })
})

it('each operation has a share of its own: with a shadow of 0, the copy never saw what later writes refer to', async () => {
  const copy = await startRecordedCopy()
  const sides = await startCopied(copy.url, {
    ...ROLLOUT,
    operations: { ...ROLLOUT.operations, 'import-create': { shadow: 0 } },
  })
  const { text } = await sides.call(IMPORT, { name: 'a', shipmentId: 'G1' })
  expect((await sides.call(COMPLETE, { id: (JSON.parse(text) as { readonly id: number }).id })).status).toBe(204)
  const { operations } = await sides.compared(1)
  expect(operations.find(({ operation }) => operation === 'import-complete')).toMatchObject({
    unjudged: { 'the copy has not seen what it refers to': 1 },
    verdict: 'insufficient data',
  })
  expect(copy.received).toEqual([])
})

import { expect, it } from 'vitest'
import { readLines } from '../../../src/recordings/read-ndjson.ts'

const MEGABYTE = 1024 * 1024

it('lines of a recording take no memory beyond the allowed length', async () => {
  let most = 0
  const endless = async function* () {
    for (let count = 0; count < 1_000; count++) {
      yield Buffer.alloc(MEGABYTE)
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
  }
  const numbers: number[] = []
  for await (const { number } of readLines(endless(), 10 * MEGABYTE)) numbers.push(number)
  expect(numbers).toEqual([1])
  expect(most).toBeLessThan(500 * MEGABYTE)
})

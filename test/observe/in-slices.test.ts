import { expect, test } from 'vitest'
import { inSlices } from '../../src/observe/in-slices.ts'

/** Blocks the event loop. */
function busyFor(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('other work runs between items that take long', async () => {
  const order: string[] = []
  const turn = (): void => {
    order.push('another')
    if (order.length < 20) setImmediate(turn)
  }
  setImmediate(turn)
  const results = await inSlices([1, 2, 3], (item) => {
    busyFor(11)
    order.push(`${item}`)
    return item * 2
  })
  expect(results).toEqual([2, 4, 6])
  expect(order.slice(0, 5)).toEqual(['1', 'another', '2', 'another', '3'])
})

test('items are made lazily, one by one', async () => {
  const made: number[] = []
  function* numbers(): Iterable<number> {
    for (let number = 0; number < 3; number++) {
      made.push(number)
      yield number
    }
  }
  await inSlices(numbers(), (number) => expect(made.at(-1)).toBe(number))
})

import { expect, test } from 'vitest'
import { inSlices } from '../../src/observe/in-slices.ts'

/** Holds the event loop. */
function busyFor(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('others have their turn between items that take long', async () => {
  const seen: string[] = []
  const turn = (): void => {
    seen.push('another')
    if (seen.length < 20) setImmediate(turn)
  }
  setImmediate(turn)
  const results = await inSlices([1, 2, 3], (item) => {
    busyFor(11)
    seen.push(`${item}`)
    return item * 2
  })
  expect(results).toEqual([2, 4, 6])
  expect(seen.slice(0, 5)).toEqual(['1', 'another', '2', 'another', '3'])
})

test('what is asked for one by one is made one by one', async () => {
  const made: number[] = []
  function* numbers(): Iterable<number> {
    for (let number = 0; number < 3; number++) {
      made.push(number)
      yield number
    }
  }
  await inSlices(numbers(), (number) => expect(made.at(-1)).toBe(number))
})

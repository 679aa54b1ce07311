import { expect, onTestFinished, test, vi } from 'vitest'
import { inSlices, nextTurn } from '../../src/observe/in-slices.ts'

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

/** Begins a turn with a clock that only `each` moves, by so much for each item; ms. */
async function itemsThatTake(milliseconds: number) {
  await nextTurn()
  let clock = 0
  const stopped = vi.spyOn(performance, 'now').mockImplementation(() => clock)
  onTestFinished(() => stopped.mockRestore())
  const order: string[] = []
  const each = (item: string): void => {
    clock += milliseconds
    order.push(item)
  }
  return { order, each }
}

test('lists that are worked on in the same turn share its time', async () => {
  const { order, each } = await itemsThatTake(6)
  const turn = (): void => {
    order.push('another')
    if (order.length < 20) setImmediate(turn)
  }
  setImmediate(turn)
  const oneAfterAnother = async (): Promise<void> => {
    await inSlices(['a'], each)
    await inSlices(['b', 'c'], each)
  }
  await Promise.all([oneAfterAnother(), inSlices(['d', 'e'], each)])
  expect(order.slice(0, 7)).toEqual(['a', 'd', 'another', 'e', 'another', 'b', 'c'])
})

test('a short list takes turns with a long one that began before', async () => {
  const { order, each } = await itemsThatTake(2)
  const long = inSlices(Array(100).fill('-'), each)
  await inSlices(Array(12).fill('s'), each)
  expect(order.join('')).toBe('----------sssss-----sssss-----ss')
  await long
})

test('work that waited for its turn gets a whole slice there, although other work began in the turn before', async () => {
  const { order, each } = await itemsThatTake(4)
  const waited = async (): Promise<void> => {
    await nextTurn()
    await inSlices(['a', 'b', 'c'], each)
  }
  await Promise.all([waited(), inSlices(['v', 'w', 'x', 'y', 'z'], each)])
  expect(order.slice(0, 6)).toEqual(['v', 'w', 'x', 'a', 'b', 'c'])
})

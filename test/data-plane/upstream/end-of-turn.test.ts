import { expect, test } from 'vitest'
import { endOfTurn } from '../../../src/data-plane/upstream/end-of-turn.ts'

test('all waiters resume together, after everything else in this turn', async () => {
  const order: string[] = []
  const first = endOfTurn().then(() => order.push('first'))
  const second = endOfTurn().then(() => order.push('second'))
  process.nextTick(() => order.push('tick'))
  queueMicrotask(() => order.push('microtask'))
  await Promise.all([first, second])
  expect(order.slice(0, 2).sort()).toEqual(['microtask', 'tick'])
  expect(order.slice(2)).toEqual(['first', 'second'])
})

test('a waiter that arrives while others resume waits for the end of the next turn', async () => {
  const order: string[] = []
  const next = endOfTurn().then(() => {
    setImmediate(() => order.push('next turn'))
    return endOfTurn().then(() => order.push('came then'))
  })
  await Promise.all([next, endOfTurn().then(() => order.push('with the first'))])
  expect(order).toEqual(['with the first', 'next turn', 'came then'])
})

import { expect, test } from 'vitest'
import { openSlots } from '../../src/upstream/slots.ts'

const options = { limit: 2, maxWaiting: 2, maxWaitMs: 60, refusal: () => new Error('full') }

/** Work that ends when it is told to. */
function work() {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end: () => end(), run: () => ended }
}

test('so many run at a time, the others in order, each as soon as there is room', async () => {
  const slots = openSlots(options)
  const [first, second, third, fourth] = [work(), work(), work(), work()]
  const over: number[] = []
  const all = [first, second, third, fourth].map((one, index) => slots.run(one.run).then(() => over.push(index)))
  expect(slots).toMatchObject({ running: 2, waiting: 2 })
  second.end()
  await all[1]
  expect(slots).toMatchObject({ running: 2, waiting: 1 })
  third.end()
  await all[2]
  expect(slots).toMatchObject({ running: 2, waiting: 0 })
  first.end()
  fourth.end()
  await Promise.all(all)
  expect(over.slice(0, 2)).toEqual([1, 2])
  expect(slots).toMatchObject({ running: 0, waiting: 0 })
})

test('whoever finds too many waiting is turned away at once, and whoever waits too long then', async () => {
  const slots = openSlots(options)
  const busy = [work(), work()]
  const running = busy.map((one) => slots.run(one.run))
  const waiting = [slots.run(async () => 'late'), slots.run(async () => 'late')]
  await expect(slots.run(async () => 'never')).rejects.toThrow('full')
  await Promise.all(waiting.map((one) => expect(one).rejects.toThrow('full')))
  for (const one of busy) one.end()
  await Promise.all(running)
  expect(await slots.run(async () => 'there is room again')).toBe('there is room again')
})

test('whoever has waited too long is turned away, and not whoever came behind', async () => {
  const slots = openSlots({ ...options, limit: 1 })
  const busy = work()
  const running = slots.run(busy.run)
  const first = slots.run(async () => 'first')
  await new Promise((resolve) => setTimeout(resolve, options.maxWaitMs / 2))
  const second = slots.run(async () => 'second')
  await expect(first).rejects.toThrow('full')
  busy.end()
  await running
  expect(await second).toBe('second')
})

test('work that fails leaves its place too', async () => {
  const slots = openSlots({ ...options, limit: 1 })
  await expect(slots.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await slots.run(async () => 1)).toBe(1)
  expect(slots.running).toBe(0)
})

import { afterAll } from 'vitest'

const closers: (() => unknown)[] = []

/** Closes something when all tests of the file have run; tests that run at the same time may share the list. */
export function closeAtEnd(close: () => unknown): void {
  closers.push(close)
}

afterAll(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

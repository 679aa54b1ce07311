import { onTestFinished, vi } from 'vitest'
import { nextTurn } from '../../src/observe/in-slices.ts'

/**
 * Sets a clock by which everything takes longer than a slice, until the test ends. Work in slices then gives way after each item, so that its
 * turns can be counted, however fast the machine is.
 */
export async function slowClock(): Promise<void> {
  await nextTurn()
  let milliseconds = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 11))
  onTestFinished(() => clock.mockRestore())
}

import type { Asker, Slots } from '../../src/upstream/slots.ts'

/** Runs work in a slot, as a guard does: at once if one is free. */
export async function runInSlot<T>(slots: Slots, asker: Asker, work: () => Promise<T>): Promise<T> {
  const slot = slots.take(asker) ?? (await slots.wait(asker))
  try {
    const result = await work()
    slots.leave(slot)
    return result
  } catch (error) {
    slots.leaveFailed(slot)
    throw error
  }
}

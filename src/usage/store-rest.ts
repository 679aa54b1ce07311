import { within } from '../common/promises.ts'

/** The pause between two attempts. */
const RETRY_MS = 50
/** The least time that the store gets, even if the grace is shorter. */
const LEAST_MS = 250

/** Stores what is left when a process stops, within `graceMs`. Tries again while the store fails. */
export async function storeRest(keep: () => Promise<void>, isStored: () => boolean, graceMs: number): Promise<void> {
  const endsAt = performance.now() + Math.max(graceMs, LEAST_MS)
  for (;;) {
    await within(Math.max(endsAt - performance.now(), 0), keep())
    if (isStored() || performance.now() >= endsAt) return
    await pause(RETRY_MS)
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

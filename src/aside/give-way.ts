import { setPriority } from 'node:os'

/** Ten steps: when both want the processor, the thread gets a ninth of the event loop's time. */
const NICE = 10

/**
 * Lowers this thread's priority, so that all other threads go first when processors are busy. Only on Linux: elsewhere, a thread
 * has no priority of its own, and nothing changes.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(NICE)
  } catch {
    // A sandbox may forbid it. The thread works all the same.
  }
}

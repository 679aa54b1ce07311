import { setPriority } from 'node:os'

/** Ten steps take a ninth of the processor time that the event loop gets, where both want it. */
const NICE = 10

/**
 * Lets all other threads go first where processors are short. On Linux a thread has a priority of its own; elsewhere it is that
 * of the whole process, and stays.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(NICE)
  } catch {
    // A sandbox may forbid it. The thread works all the same.
  }
}

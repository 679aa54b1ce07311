import type { Asker, FairQueue } from '../../src/data-plane/upstream/fair-queue.ts'

/** Runs work as a call of a queue: at once if there is room. */
export async function runInQueue<T>(queue: FairQueue, asker: Asker, work: () => Promise<T>): Promise<T> {
  const client = queue.enter(asker) ?? (await queue.wait(asker))
  try {
    return await work()
  } finally {
    queue.leave(client)
  }
}

/**
 * Runs work, and returns its result with the longest time for which it held the event loop, in ms. Only the time that this thread computes
 * counts, so that other work on the machine does not.
 */
export async function whileTurning<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  let [longest, isDone] = [0, false]
  let last = computed()
  const turn = (): void => {
    const now = computed()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work()
  isDone = true
  await new Promise(setImmediate)
  return [result, longest]
}

const computed = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

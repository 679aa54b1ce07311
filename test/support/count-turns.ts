/** Runs work, and returns its result with the number of turns that the event loop made meanwhile: calls are answered in each of them. */
export async function countTurns<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  let [turns, isDone] = [0, false]
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work()
  isDone = true
  return [result, turns]
}

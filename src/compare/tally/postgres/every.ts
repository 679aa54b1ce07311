/**
 * Runs `work` in the background at an interval, unless it is still running or `may` returns false. Ignores failures: the next
 * attempt to store results reports them. The timer does not keep the process alive.
 */
export function every(milliseconds: number, may: () => boolean, work: () => Promise<void>): NodeJS.Timeout {
  let isAtIt = false
  const attempt = async (): Promise<void> => {
    if (isAtIt || !may()) return
    isAtIt = true
    await work().catch(() => undefined)
    isAtIt = false
  }
  return setInterval(attempt, milliseconds).unref()
}

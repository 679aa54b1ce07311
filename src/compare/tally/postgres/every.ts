/**
 * Does something in the background now and then, unless it is still at it or may not. A failure is left to whoever stores
 * results next. The timer does not keep the process alive.
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

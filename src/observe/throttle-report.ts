/**
 * Tells of what may happen many times a second: the first time at once, and then once in `everyMs` at most, with how often it
 * has happened since it was told last and what happened last.
 */
export function tellNowAndThen<T>(tell: (count: number, last: T) => void, everyMs: number): (happened: T) => void {
  let count = 0
  let last: T
  let timer: NodeJS.Timeout | undefined
  const tellNow = (): void => {
    timer = undefined
    if (count === 0) return
    tell(count, last)
    count = 0
    timer = setTimeout(tellNow, everyMs).unref()
  }
  return (happened) => {
    count++
    last = happened
    if (timer === undefined) tellNow()
  }
}

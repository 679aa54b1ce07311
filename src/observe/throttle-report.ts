/**
 * Throttles reports of an event that may happen many times a second. The first event is reported at once, then at most one
 * report follows every `everyMs`, with the number of events since the last report and the latest event.
 */
export function throttleReport<T>(report: (count: number, latest: T) => void, everyMs: number): (event: T) => void {
  let count = 0
  let latest: T
  let timer: NodeJS.Timeout | undefined
  const reportNow = (): void => {
    timer = undefined
    if (count === 0) return
    report(count, latest)
    count = 0
    timer = setTimeout(reportNow, everyMs).unref()
  }
  return (event) => {
    count++
    latest = event
    if (timer === undefined) reportNow()
  }
}

/** When a call asked a service, in ms of `performance.now()`. The guard writes it. */
export interface Asking {
  /** When the service was first asked: waiting for a slot comes before. Undefined: it was not asked. */
  since: number | undefined
  /** When it last answered or failed; undefined: it has not. */
  until: number | undefined
}

/** Notes that a service is asked, at `now`. Of several times, the first counts. */
export function begin(asking: Asking | undefined, now: number): void {
  if (asking !== undefined) asking.since ??= now
}

/** Notes that a service has answered, or failed. Of several times, the last counts. */
export function end(asking: Asking | undefined): void {
  if (asking !== undefined) asking.until = performance.now()
}

/** Measures the time that a service takes: that of a call without the time that its answer waits for the client. */
export class ServiceClock {
  readonly #onTimeout: () => void
  #left: number
  #since = 0
  #timeout: NodeJS.Timeout | undefined

  /** Starts the clock. @param onTimeout called once the service has taken `limitMs`. */
  constructor(limitMs: number, onTimeout: () => void) {
    this.#left = limitMs
    this.#onTimeout = onTimeout
    this.start()
  }

  start(): void {
    if (this.#timeout !== undefined) return
    this.#since = performance.now()
    this.#timeout = setTimeout(this.#onTimeout, this.#left)
  }

  stop(): void {
    if (this.#timeout === undefined) return
    clearTimeout(this.#timeout)
    this.#timeout = undefined
    this.#left -= performance.now() - this.#since
  }
}

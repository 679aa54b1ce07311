/** Thrown when a store cannot be used. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
  /** Whether trying again helps: another process has locked the store, or the database is unavailable. */
  readonly isBusy: boolean

  constructor(message: string, isBusy: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isBusy = isBusy
  }
}

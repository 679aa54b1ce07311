/** Thrown when a store cannot be used. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
  /** Trying again helps: another process has it locked, or the database is away. */
  readonly isBusy: boolean

  constructor(message: string, isBusy: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isBusy = isBusy
  }
}

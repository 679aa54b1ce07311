/** Thrown on the way of a request, and always answered: nobody looks for its stack, which would cost more than its answer. */
export class ExpectedError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

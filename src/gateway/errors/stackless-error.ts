/**
 * An error without a stack: it is always answered, and nobody looks for where it was made. Making one with twelve functions under
 * way took 1.2 µs in place of 17 µs with a stack. V8 knows no other way than its global limit, which is put back at once.
 */
export class StacklessError extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Thrown when a replay cannot run; the message says why and holds no secret. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError'
}

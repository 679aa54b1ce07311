import type { IncomingMessage } from 'node:http'

const WAITED = Symbol('waited')

/** Notes how long a request may have waited before it was read; ms. */
export function noteWait(request: IncomingMessage, milliseconds: number): void {
  ;(request as IncomingMessage & { [WAITED]?: number })[WAITED] = milliseconds
}

/** Returns how long a request may have waited before it was read, because its connection was not read; ms. */
export const waitedBefore = (request: IncomingMessage): number =>
  (request as IncomingMessage & { [WAITED]?: number })[WAITED] ?? 0

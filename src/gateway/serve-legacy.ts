import type { HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { LinearRouter } from 'hono/router/linear-router'
import type { Observe } from '../observe/observe-call.ts'
import { callNoter } from './note-call.ts'
import { type Serving, serveCall } from './serve-call.ts'

export interface LegacyInterface extends Omit<Serving, 'note'> {
  readonly observe: Observe
  /** Goes around every call; undefined: there is nothing around them. */
  readonly middleware?: MiddlewareHandler | undefined
}

/** The legacy interface. Every path and method comes here, as written in the request line. */
export function serveLegacy({ observe, middleware, ...others }: LegacyInterface): Hono<{ Bindings: HttpBindings }> {
  const serving: Serving = { ...others, note: callNoter(others.gateway, observe) }
  // Where one route takes every path, nothing is to be found by an expression.
  const app = new Hono<{ Bindings: HttpBindings }>({ router: new LinearRouter() })
  if (middleware !== undefined) app.use(middleware)
  app.all('*', ({ env: { incoming, outgoing } }) => serveCall(serving, incoming, outgoing))
  return app
}

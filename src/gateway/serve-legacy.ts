import type { HttpBindings } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { LinearRouter } from 'hono/router/linear-router'
import type { Observe } from '../observe/observe-call.ts'
import { callNoter } from './note-call.ts'
import { type Serving, serveCall } from './serve-call.ts'

export interface LegacyInterface extends Omit<Serving, 'note'> {
  readonly observe: Observe
  /** Wraps every call; undefined: none does. */
  readonly middleware?: MiddlewareHandler | undefined
}

/** Serves the legacy interface: every method and path, as written in the request line. */
export function serveLegacy({ observe, middleware, ...others }: LegacyInterface): Hono<{ Bindings: HttpBindings }> {
  const serving: Serving = { ...others, note: callNoter(others.gateway, observe) }
  // One route takes every path, so the router needs no regular expressions.
  const app = new Hono<{ Bindings: HttpBindings }>({ router: new LinearRouter() })
  if (middleware !== undefined) app.use(middleware)
  app.all('*', ({ env: { incoming, outgoing } }) => serveCall(serving, incoming, outgoing))
  return app
}

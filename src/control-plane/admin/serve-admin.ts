import { type Handler, Hono, type MiddlewareHandler } from 'hono'
import { type Readiness, readinessOf, type State } from '../../observe/readiness.ts'
import type { ReplicasReport } from '../store/replicas.ts'
import { adminToken, knowsToken, ownName, type WrongTokens } from './admin-access.ts'
import { answerNotFound } from './dashboard/layout.ts'

interface AdminOptions {
  /** Undefined if no token is needed, which is allowed only on a loopback address. */
  readonly token: string | undefined
  /** Slows down clients that send wrong tokens. */
  readonly wrongTokens?: WrongTokens
  readonly state: () => Promise<State>
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** The HTML pages, then what answers programs at the same paths and at others. */
  readonly routes: readonly Hono[]
  /** Returns the results of the comparisons, the queue and the rollout. @param origin of the admin port, as the caller knows it. */
  readonly experiments: (origin: string) => Promise<{ readonly operations: readonly object[] }>
  /** Returns what was last heard of the gateways that share the state. */
  readonly replicas: () => ReplicasReport
  /** Returns the OpenAPI description of the legacy interface for this host name; undefined if the interface does not listen yet. */
  readonly openapi: (askedHost: string) => object | undefined
  /** Documents for programs, by path: the Postman collection, OpenAPI of v1, JSON Schemas of the files. Created on demand. */
  readonly documents: Readonly<Record<`/${string}`, () => object>>
  /** Wraps every request. */
  readonly middleware: MiddlewareHandler
  /** Waits until all calls that have been answered are counted, so that what is shown includes them. */
  readonly flush: () => Promise<void>
  /** Puts what has been decided into effect, so that nothing is shown that does not hold yet. */
  readonly decide: () => Promise<void>
  /** Called for unexpected errors, including a request body that breaks off. */
  readonly onError: (error: Error) => void
}

/**
 * Serves the admin port. Every path except `/healthz`, `/livez`, `/readyz` and `OPTIONS /` needs the token. `/readyz` says
 * whether this replica should get calls; `/readyz?strict` also requires that v1 answers. `OPTIONS /` returns the status of
 * `/readyz` without a body. `/readyz` names the services' addresses, and why one is down, only to those who send the token.
 */
export function serveAdmin(options: AdminOptions): Hono {
  const { token, wrongTokens, state, metrics, experiments, replicas, openapi } = options
  const app = new Hono()
  app.use(options.middleware)
  app.on('TRACE', '*', refuseTrace)
  for (const path of ['/healthz', '/livez']) app.get(path, (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    const readiness = readinessOf(await state(), isSet(c.req.query('strict')))
    const shown = (await knowsToken(c, token, wrongTokens)) ? readiness : forAll(readiness)
    return c.json(shown, readiness.status === 'ready' ? 200 : 503)
  })
  // The default request of HAProxy's `option httpchk`.
  app.on('OPTIONS', '/', async () => {
    const { status } = readinessOf(await state(), false)
    return new Response(null, { status: status === 'ready' ? 204 : 503, headers: { allow: 'GET, HEAD, OPTIONS' } })
  })
  app.onError((error, c) => {
    options.onError(error)
    return c.json({ message: 'Unexpected error; see the log.' }, 500)
  })
  app.use(ownName(token))
  app.use(adminToken(token, wrongTokens))
  app.use(async (c, next) => {
    await Promise.all([options.flush(), options.decide()])
    await next()
    // Whoever gives an order sees its effect with the next call.
    if (c.req.method === 'POST') await options.decide()
  })
  for (const routes of options.routes) app.route('/', routes)
  app.get('/metrics', async (c) => {
    const { contentType, text } = await metrics()
    return c.body(text, 200, { 'content-type': contentType })
  })
  app.get('/experiments', async (c) => c.json(await experiments(new URL(c.req.url).origin)))
  app.get('/replicas', (c) => c.json(replicas()))
  app.get('/openapi.json', (c) => {
    const described = openapi(new URL(c.req.url).hostname)
    return described === undefined
      ? c.json({ message: 'The legacy interface does not listen yet.' }, 503)
      : c.json(described)
  })
  for (const [path, make] of Object.entries(options.documents)) app.get(path, (c) => c.json(make()))
  app.notFound(answerNotFound)
  return app
}

/** Returns the part that everyone may read: no addresses, and no reasons, which may hold some. */
const forAll = ({ services: _, why: __, ...others }: Readiness): object => others

/** Whether a flag is set, with or without a value: `?strict`. */
const isSet = (flag: string | undefined): boolean => flag !== undefined && flag !== 'false' && flag !== '0'

/**
 * Refuses TRACE on every path: echoing a request would reveal secrets in its headers (RFC 9110 section 9.3.8).
 */
const refuseTrace: Handler = (c) => c.json({ message: 'TRACE is not allowed here.' }, 405, { allow: 'GET, HEAD' })

import { Hono, type MiddlewareHandler } from 'hono'
import { inSlices } from '../observe/in-slices.ts'
import { readinessOf, type State } from '../observe/readiness.ts'
import { adminToken } from './admin-token.ts'
import { answerNotFound } from './dashboard/serve-dashboard.ts'
import { ownName } from './own-name.ts'
import { refuseTrace } from './refuse-trace.ts'
import type { WrongTokens } from './wrong-tokens.ts'

export interface AdminOptions {
  /** Undefined: none is wanted, which only a loopback address allows. */
  readonly token: string | undefined
  /** Slows those down who try other tokens. */
  readonly wrongTokens?: WrongTokens
  readonly state: () => Promise<State>
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
  /** The pages for people. */
  readonly dashboard: Hono
  /** Answers `POST /explain`. */
  readonly explain: Hono
  /** The results of comparing, and what is compared. */
  readonly experiments: () => Promise<{ readonly operations: readonly object[] }>
  /** The OpenAPI description of the legacy interface, for who asks for it under this host name; undefined: it is not served yet. */
  readonly openapi: (askedHost: string) => object | undefined
  /** Goes around every call. */
  readonly middleware: MiddlewareHandler
  /** Told of what goes wrong unexpectedly, a body that breaks off included. */
  readonly onError: (error: Error) => void
}

/**
 * The admin port: what an orchestrator asks. All but `/healthz`, `/livez`, `/readyz` and `OPTIONS /` needs the token.
 * `/readyz` says whether calls should come here, `/readyz?strict` whether v1 could answer them as well; `OPTIONS /` says as a
 * status what `/readyz` says.
 */
export function serveAdmin({
  token,
  wrongTokens,
  state,
  metrics,
  dashboard,
  explain,
  experiments,
  openapi,
  middleware,
  onError,
}: AdminOptions): Hono {
  const app = new Hono()
  app.use(middleware)
  app.on('TRACE', '*', refuseTrace)
  for (const path of ['/healthz', '/livez']) app.get(path, (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    const said = readinessOf(await state(), isSet(c.req.query('strict')))
    return c.json(said, said.status === 'ready' ? 200 : 503)
  })
  // What HAProxy's `option httpchk` asks where it is not told a path.
  app.on('OPTIONS', '/', async () => {
    const { status } = readinessOf(await state(), false)
    return new Response(null, { status: status === 'ready' ? 204 : 503, headers: { allow: 'GET, HEAD, OPTIONS' } })
  })
  app.onError((error, c) => {
    onError(error)
    return c.json({ message: 'Something went wrong; the log says what.' }, 500)
  })
  app.use(ownName(token))
  app.use(adminToken(token, wrongTokens))
  app.route('/', dashboard)
  app.route('/', explain)
  app.get('/metrics', async (c) => {
    const { contentType, text } = await metrics()
    return c.body(text, 200, { 'content-type': contentType })
  })
  app.get('/experiments', async (c) =>
    c.body(await experimentsJson(await experiments()), 200, { 'content-type': 'application/json' }),
  )
  app.get('/openapi.json', (c) => {
    const described = openapi(new URL(c.req.url).hostname)
    return described === undefined
      ? c.json({ message: 'The legacy interface does not listen yet.' }, 503)
      : c.json(described)
  })
  app.notFound(answerNotFound)
  return app
}

/** Their JSON, in slices: there may be megabytes of it. */
async function experimentsJson(experiments: { readonly operations: readonly object[] }): Promise<string> {
  const operations = await inSlices(experiments.operations, (operation) => JSON.stringify(operation))
  const around = JSON.stringify({ ...experiments, operations: [] })
  return around.replace(NO_OPERATIONS, () => `"operations":[${operations.join(',')}]`)
}

const NO_OPERATIONS = '"operations":[]'

/** `?strict` without a value, too. */
const isSet = (flag: string | undefined): boolean => flag !== undefined && flag !== 'false' && flag !== '0'

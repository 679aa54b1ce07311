import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'

/** The address of the v1 face. */
export type Served = Pick<Sandbox, 'v1Url'>

export interface Reply<Body> {
  status: number
  headers: Headers
  /** The body as sent. */
  text: string
  body: Body
}

export interface Asked {
  method?: string
  language?: string
  token?: string
  /** Text is sent unchanged, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface ListBody<Item> {
  success: true
  message: string
  items: Item[]
  meta: { page: number; perPage: number; total: number; pageCount: number }
}

export interface ErrorBody {
  success: false
  code: string
  message: string
  errors?: { path: string; message: string }[]
}

export interface TokenBody {
  success: true
  message: string
  data: { token: string }
}

export const demo = { clientId: 'demo-client', secretKey: 'demo-secret' }
export const other = { clientId: 'other-client', secretKey: 'other-secret' }

/** A sandbox in memory, on any free port of loopback. */
export async function startInMemory(now?: () => number): Promise<Sandbox> {
  return startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:', ...(now && { now }) })
}

/** Makes one request over real HTTP. Reads the body as JSON of the type that the test expects and then asserts. */
export async function ask<Body>(sandbox: Served, path: string, asked: Asked = {}): Promise<Reply<Body>> {
  const { method, language, token, body, headers } = asked
  const response = await fetch(sandbox.v1Url + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(language !== undefined && { 'Accept-Language': language }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Body }
}

export async function logIn(sandbox: Served, credentials: typeof demo): Promise<string> {
  const { body } = await ask<TokenBody>(sandbox, '/api/v1/auth/application', { body: credentials })
  return body.data.token
}

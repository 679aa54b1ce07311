import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { jsonInSlices } from './json-in-slices.ts'
import { jsonFromHere } from './same-origin.ts'

/** Whose evidence is to begin anew, who says so, and why. */
export interface ResetOrder {
  readonly operation: string
  readonly by: string
  readonly why: string
}

export interface EvidenceSources {
  /** The ids of all operations. */
  readonly operations: readonly string[]
  /** Makes an operation's evidence begin anew. `isStored`: it survives a restart. */
  readonly reset: (order: ResetOrder) => Promise<{ readonly at: string; readonly isStored: boolean }>
  /** Puts the dossier together, unsigned: the gateway has no key. */
  readonly dossier: () => Promise<{ readonly operations: readonly object[] }>
}

const MAX_BYTES = 16_384
const LONGEST = { operation: 100, by: 200, why: 1_000 } as const
const PATH = '/evidence/reset'

/**
 * Serves `POST /evidence/reset`: `{ "operation", "why", "by" }` as JSON. Answers 200 with the order, `at` and `kept`; 400 with
 * what is wrong with it. Serves `GET /dossier`, for the command `legacy-gateway dossier`.
 */
export function serveEvidence({ operations, reset, dossier }: EvidenceSources): Hono {
  const app = new Hono()
  const limit = bodyLimit({
    maxSize: MAX_BYTES,
    onError: (c) => c.json({ message: `The order is larger than ${MAX_BYTES} bytes.` }, 413),
  })
  app.post(PATH, jsonFromHere, limit, async (c) => {
    const order = readOrder(await c.req.text(), operations)
    if (typeof order === 'string') return c.json({ message: order }, 400)
    const { at, isStored } = await reset(order)
    return c.json({ ...order, at, kept: isStored })
  })
  app.all(PATH, (c) => c.json({ message: 'Only POST is allowed here.' }, 405, { allow: 'POST' }))
  app.get('/dossier', async (c) => c.body(await jsonInSlices(await dossier()), 200, JSON_TYPE))
  return app
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** Returns the order, or what is wrong with it. */
function readOrder(text: string, operations: readonly string[]): ResetOrder | string {
  const json = parsed(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return 'Send a JSON object: { "operation": "…", "why": "…", "by": "…" }.'
  }
  const names = Object.keys(LONGEST) as (keyof ResetOrder)[]
  const given = json as Readonly<Record<string, unknown>>
  const others = Object.keys(given).filter((name) => !names.includes(name as keyof ResetOrder))
  const problems = [
    ...names.flatMap((name) => problemWith(name, given[name])),
    ...(others.length === 0 ? [] : [`only ${names.join(', ')} can be given`]),
  ]
  if (problems.length > 0) return `${problems.join('; ')}.`
  const order = Object.fromEntries(names.map((name) => [name, String(given[name]).trim()])) as unknown as ResetOrder
  return operations.includes(order.operation)
    ? order
    : `operation: no such operation; expected one of ${operations.join(', ')}.`
}

function problemWith(name: keyof ResetOrder, value: unknown): readonly string[] {
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST[name]
  const says = `${name} must be a text of 1 to ${LONGEST[name]} characters, without control characters`
  return isText && !/\p{Cc}/u.test(value) ? [] : [says]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { buildFace } from '../../src/sandbox/faces/build-face.ts'
import { v1Face } from '../../src/sandbox/faces/v1-face.ts'
import { countryTable } from '../../src/sandbox/seed/seed-countries.ts'
import { listen } from '../../src/sandbox/start-sandbox.ts'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'
import { ask, demo, type ErrorBody, logIn, other, type Reply, type Served } from './sandbox-client.ts'

/** A v1 face over real HTTP whose store tests can read, with a login of each organization. */
export interface OpenSandbox extends Served {
  db: DatabaseSync
  tokens: { demo: string; other: string }
  close(): Promise<void>
}

export async function openSandbox(now: () => number = Date.now): Promise<OpenSandbox> {
  const db = openStore(':memory:')
  const v1 = await listen('v1', buildFace(v1Face, { db, now }).fetch, '127.0.0.1', 0)
  const served = { v1Url: v1.url }
  const tokens = { demo: await logIn(served, demo), other: await logIn(served, other) }
  // Tests that move the clock do not test tokens.
  db.prepare('UPDATE tokens SET expiresAtMs = ?').run(Number.MAX_SAFE_INTEGER)
  return { ...served, db, tokens, close: () => v1.close().then(() => db.close()) }
}

/** Sends a body as the demo organization. */
export function post<Body>(
  sandbox: OpenSandbox,
  path: string,
  body: unknown,
  asked: { language?: string; token?: string } = {},
): Promise<Reply<Body>> {
  return ask<Body>(sandbox, path, { method: 'POST', token: sandbox.tokens.demo, body, ...asked })
}

export function countryId(code: string): number {
  return countryTable.findIndex((country) => country.code === code) + 1
}

const tables = [
  'addresses',
  'singlePointImports',
  'shipmentDrafts',
  'shipments',
  'shipmentPackages',
  'shipmentProducts',
  'charges',
] as const

/** Each store's query of `countRows`, which tests call before and after each of thousands of requests. */
const counting = new WeakMap<DatabaseSync, StatementSync>()

/** The number of rows of everything that requests can store. */
export function countRows({ db }: OpenSandbox): Record<(typeof tables)[number], number> {
  let count = counting.get(db)
  if (count === undefined) {
    count = db.prepare(`SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join()}`)
    counting.set(db, count)
  }
  return { ...(count.get() as Record<(typeof tables)[number], number>) }
}

/** Expects a 422 that names these paths, in this order, each with its message. */
export function validationFailed(language: 'tr' | 'en', errors: Record<string, string>): ErrorBody {
  return {
    success: false,
    code: 'VALIDATION_FAILED',
    message: language === 'en' ? 'Validation failed.' : 'Doğrulama başarısız oldu.',
    errors: Object.entries(errors).map(([path, message]) => ({ path, message })),
  }
}

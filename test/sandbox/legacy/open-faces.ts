import type { DatabaseSync } from 'node:sqlite'
import { buildFace } from '../../../src/sandbox/faces/build-face.ts'
import { legacyFace } from '../../../src/sandbox/faces/legacy-face.ts'
import { v1Face } from '../../../src/sandbox/faces/v1-face.ts'
import { listen } from '../../../src/sandbox/start-sandbox.ts'
import { openStore } from '../../../src/sandbox/store/sandbox-store.ts'
import { demo, logIn, other } from '../sandbox-client.ts'
import { askLegacy, type LegacyAsked, type LegacyReply, logInToLegacy } from './legacy-client.ts'

/** Both faces over one store that tests can read, with a login of each organization to both. */
export interface OpenFaces {
  v1Url: string
  legacyUrl: string
  db: DatabaseSync
  v1Tokens: { demo: string; other: string }
  tokens: { demo: string; other: string }
  /** Calls the legacy face as the demo organization: GET, or POST with a body. */
  ask<Body>(path: string, asked?: LegacyAsked): Promise<LegacyReply<Body>>
  close(): Promise<void>
}

export async function openFaces(now: () => number = Date.now): Promise<OpenFaces> {
  const db = openStore(':memory:')
  const v1 = await listen('v1', buildFace(v1Face, { db, now }).fetch, '127.0.0.1', 0)
  const legacy = await listen('legacy', buildFace(legacyFace, { db, now }).fetch, '127.0.0.1', 0)
  const urls = { v1Url: v1.url, legacyUrl: legacy.url }
  const tokens = { demo: await logInToLegacy(urls, demo), other: await logInToLegacy(urls, other) }
  return {
    ...urls,
    db,
    v1Tokens: { demo: await logIn(urls, demo), other: await logIn(urls, other) },
    tokens,
    ask: (path, asked = {}) => askLegacy(urls, path, { token: tokens.demo, ...asked }),
    close: () => Promise.all([v1.close(), legacy.close()]).then(() => db.close()),
  }
}

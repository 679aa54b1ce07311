import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

/** The interface that a token is valid for. Each face refuses the tokens of the other. */
export type Face = 'v1' | 'legacy'

/** *Assumed*: a day (docs/contract.md 13.4). */
const lifetimeMs = 24 * 60 * 60 * 1000

/**
 * Issues a token to the organization with these credentials. Returns undefined if there is no such organization.
 * Earlier tokens stay valid until they expire. Stores only the hash of the token.
 */
export function issueToken(
  db: DatabaseSync,
  credentials: { clientId: string; secretKey: string },
  face: Face,
  nowMs: number,
): string | undefined {
  const organization = db
    .prepare('SELECT id FROM organizations WHERE clientId = ? AND secretKey = ?')
    .get(credentials.clientId, credentials.secretKey)
  if (organization === undefined) return undefined

  const token = randomBytes(32).toString('base64url')
  db.prepare('DELETE FROM tokens WHERE expiresAtMs <= ?').run(nowMs)
  db.prepare('INSERT INTO tokens (tokenHash, face, organizationId, expiresAtMs) VALUES (?, ?, ?, ?)').run(
    hashOf(token),
    face,
    Number(organization.id),
    nowMs + lifetimeMs,
  )
  return token
}

/**
 * Returns the id of the organization that a token was issued to. Undefined if it is unknown, expired or for another
 * face.
 */
export function organizationOfToken(db: DatabaseSync, token: string, face: Face, nowMs: number): number | undefined {
  const found = db
    .prepare('SELECT organizationId FROM tokens WHERE tokenHash = ? AND face = ? AND expiresAtMs > ?')
    .get(hashOf(token), face, nowMs)
  return found === undefined ? undefined : Number(found.organizationId)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

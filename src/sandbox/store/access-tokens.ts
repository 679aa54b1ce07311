import { createHash, randomBytes } from 'node:crypto'
import type { FaceName, Service } from '../service.ts'

/** *Assumed*: a day (docs/contract.md 13.4). */
const lifetimeMs = 24 * 60 * 60 * 1000

/**
 * Issues a token for a face to the organization with these credentials. Returns undefined if there is no such
 * organization. Earlier tokens stay valid until they expire. Stores only the hash of the token.
 */
export function issueToken(
  { db, now }: Service,
  face: FaceName,
  credentials: { clientId: string; secretKey: string },
): string | undefined {
  const organization = db
    .prepare('SELECT id FROM organizations WHERE clientId = ? AND secretKey = ?')
    .get(credentials.clientId, credentials.secretKey)
  if (organization === undefined) return undefined

  const token = randomBytes(32).toString('base64url')
  db.prepare('DELETE FROM tokens WHERE expiresAtMs <= ?').run(now())
  db.prepare('INSERT INTO tokens (tokenHash, face, organizationId, expiresAtMs) VALUES (?, ?, ?, ?)').run(
    hashOf(token),
    face,
    Number(organization.id),
    now() + lifetimeMs,
  )
  return token
}

/**
 * Returns the id of the organization whose token a request carries as `Authorization: Bearer <ACCESS_TOKEN>`
 * (docs/contract.md 3.2 and 3.4). Undefined if the token is missing, unknown, expired or for the other face.
 */
export function organizationOf({ db, now }: Service, face: FaceName, authorization = ''): number | undefined {
  const [, token] = /^Bearer (\S+)$/.exec(authorization) ?? []
  if (token === undefined) return undefined
  const row = db
    .prepare('SELECT organizationId FROM tokens WHERE tokenHash = ? AND face = ? AND expiresAtMs > ?')
    .get(hashOf(token), face, now())
  return row === undefined ? undefined : Number(row.organizationId)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

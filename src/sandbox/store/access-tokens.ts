import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { FaceName, Service } from '../service.ts'
import { bodyOf } from '../validation/validate-request.ts'
import { findRow, insertRow } from './sandbox-rows.ts'

/** *Assumed*: the member names (docs/contract.md 13.1); an empty string and null count as missing. */
const credentials = z.object({ clientId: z.string().min(1), secretKey: z.string().min(1) })

export type Credentials = z.output<typeof credentials>

export const tokenRequest = bodyOf(credentials)

/** *Assumed*: a day (docs/contract.md 13.4). */
const lifetimeMs = 24 * 60 * 60 * 1000

/**
 * Issues a token for a face to the organization with these credentials. Returns undefined if there is no such
 * organization. Earlier tokens stay valid until they expire. Stores only the hash of the token.
 */
export function issueToken(
  { db, now }: Service,
  face: FaceName,
  { clientId, secretKey }: Credentials,
): string | undefined {
  const organization = findRow(db, 'organizations', { clientId, secretKey })
  if (organization === undefined) return undefined

  const token = randomBytes(32).toString('base64url')
  db.prepare('DELETE FROM tokens WHERE expiresAtMs <= ?').run(now())
  const [tokenHash, organizationId, expiresAtMs] = [hashOf(token), organization.id, now() + lifetimeMs]
  insertRow(db, 'tokens', { tokenHash, face, organizationId, expiresAtMs })
  return token
}

/**
 * Returns the id of the organization whose token a request carries as `Authorization: Bearer <ACCESS_TOKEN>`
 * (docs/contract.md 3.2 and 3.4). Undefined if the token is missing, unknown, expired or for the other face.
 */
export function organizationOf({ db, now }: Service, face: FaceName, authorization = ''): number | undefined {
  const [, token] = /^Bearer (\S+)$/.exec(authorization) ?? []
  if (token === undefined) return undefined
  const select = db.prepare('SELECT organizationId FROM tokens WHERE tokenHash = ? AND face = ? AND expiresAtMs > ?')
  const row = select.get(hashOf(token), face, now())
  return row && Number(row.organizationId)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

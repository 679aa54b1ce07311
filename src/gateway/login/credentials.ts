import type { ServiceTokens, TokenSealer } from './sealed-token.ts'

/** What the `Authorization` header of a call means to each of the services. */
export interface Credentials {
  /** The header for v1, and for legacy; undefined: none is sent. */
  readonly v1: string | undefined
  readonly legacy: string | undefined
  /** Whether this gateway issued the token. Then each service gets the one that it issued itself. */
  readonly isOurs: boolean
  /** The client that logged in, if the token says so. */
  readonly client: string | undefined
}

export const NO_CREDENTIALS: Credentials = { v1: undefined, legacy: undefined, isOurs: false, client: undefined }

/** RFC 9110 section 11.1: the scheme is case-insensitive. */
const BEARER = /^Bearer +(\S+) *$/i

/** Reads the `Authorization` header of a call. A token that is not ours goes to both services unchanged. */
export function readCredentials(
  authorization: string | undefined,
  sealer: TokenSealer | undefined,
): Credentials | Promise<Credentials> {
  if (authorization === undefined) return NO_CREDENTIALS
  return sealer === undefined ? meaningOf(authorization, undefined) : openCredentials(authorization, sealer)
}

/** Returns the token of an `Authorization` header; undefined if its scheme is not Bearer. */
export const tokenIn = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1]

async function openCredentials(authorization: string, sealer: TokenSealer): Promise<Credentials> {
  const token = tokenIn(authorization)
  return meaningOf(authorization, token === undefined ? undefined : await sealer.open(token))
}

function meaningOf(authorization: string, tokens: ServiceTokens | undefined): Credentials {
  if (tokens === undefined) return { v1: authorization, legacy: authorization, isOurs: false, client: undefined }
  return { v1: bearer(tokens.v1), legacy: bearer(tokens.legacy), isOurs: true, client: tokens.client }
}

const bearer = (token: string | undefined): string | undefined => (token === undefined ? undefined : `Bearer ${token}`)

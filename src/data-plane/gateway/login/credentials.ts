import { Refusal } from '../errors/refusal.ts'
import { holdsSealed, type ServiceTokens, START, sealedIn, type TokenSealer, tokenHoldsSealed } from './sealed-token.ts'

/** The meaning of a call's `Authorization` header to each of the services. */
export interface Credentials {
  /** The header for v1, and for legacy; undefined: none is sent. */
  readonly v1: string | undefined
  readonly legacy: string | undefined
  /** Whether this gateway issued the token. Then each service gets the one that it issued itself. */
  readonly isOurs: boolean
  /** The client that logged in, if the token says so. */
  readonly client: string | undefined
  /** Whether the header holds a sealed token that cannot be opened. Neither service gets it. */
  readonly isUnreadable: boolean
}

export const NO_CREDENTIALS: Credentials = {
  v1: undefined,
  legacy: undefined,
  isOurs: false,
  client: undefined,
  isUnreadable: false,
}

const UNREADABLE: Credentials = { ...NO_CREDENTIALS, isUnreadable: true }

/** RFC 9110 section 11.1: the scheme is case-insensitive. */
const BEARER = /^Bearer +(\S+) *$/i

/**
 * Reads the `Authorization` header of a call. A token that is not ours goes to both services unchanged. A token of ours is opened in
 * whatever form it was written, also without its scheme, and each service gets its own one as `Bearer`.
 */
export function readCredentials(
  authorization: string | undefined,
  sealer: TokenSealer | undefined,
): Credentials | Promise<Credentials> {
  if (authorization === undefined) return NO_CREDENTIALS
  const token = tokenIn(authorization)
  if (token?.startsWith(START) === true) return openCredentials(token, authorization, sealer)
  if (token === undefined ? !holdsSealed(authorization) : !tokenHoldsSealed(token)) return theirs(authorization)
  return openCredentials(sealedIn(authorization), authorization, sealer)
}

/** Returns the token of an `Authorization` header; undefined if its scheme is not Bearer. */
export const tokenIn = (authorization: string): string | undefined => BEARER.exec(authorization)?.[1]

/** The refusal of a call with a sealed token that no service may get. */
export const invalidToken = (): Refusal => new Refusal(401, 'invalid-token')

async function openCredentials(
  token: string | undefined,
  authorization: string,
  sealer: TokenSealer | undefined,
): Promise<Credentials> {
  const tokens = token === undefined ? undefined : await openAnyway(token, authorization, sealer)
  return tokens === undefined ? UNREADABLE : ours(tokens)
}

/** Opens a token. One that a program wrote something behind is tried without it, too. */
async function openAnyway(
  token: string,
  authorization: string,
  sealer: TokenSealer | undefined,
): Promise<ServiceTokens | undefined> {
  const tokens = await sealer?.open(token)
  if (tokens !== undefined) return tokens
  const plain = sealedIn(authorization)
  return plain === undefined || plain === token ? undefined : sealer?.open(plain)
}

const theirs = (authorization: string): Credentials => ({ ...NO_CREDENTIALS, v1: authorization, legacy: authorization })

const ours = ({ v1, legacy, client }: ServiceTokens): Credentials => ({
  ...{ v1: bearer(v1), legacy: bearer(legacy), client },
  ...{ isOurs: true, isUnreadable: false },
})

const bearer = (token: string | undefined): string | undefined => (token === undefined ? undefined : `Bearer ${token}`)

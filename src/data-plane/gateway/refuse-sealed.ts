import type { Holder } from '../upstream/memory-budget.ts'
import { Refusal } from './errors/refusal.ts'
import type { Call } from './gateway.ts'
import { invalidToken } from './login/credentials.ts'
import type { TokenSealer } from './login/sealed-token.ts'
import { bytesHoldSealed, holdsSealed, replaceSealed, sealedIn } from './login/sealed-token.ts'
import { plainBody, type WrittenAs } from './plain-body.ts'
import type { Receiving } from './receive-body.ts'

/**
 * Refuses a call of an operation with a sealed token that cannot be opened, unless the operation needs none and so none is sent; and
 * one with such a token in the query, whose parameters go to both services and into recordings. @throws Refusal.
 */
export function refuseSealed({ credentials, operation, request }: Call): void {
  if (operation === undefined) return
  if (credentials.isUnreadable && operation.mapping.authorization === 'token') throw invalidToken()
  if (holdsSealed(request.query)) throw invalidToken()
}

/** Refuses a call of an operation with a sealed token in its body. @throws Refusal. */
export function refuseSealedBody(body: Uint8Array): void {
  if (bytesHoldSealed(body)) throw invalidToken()
}

/**
 * Refuses a call that is passed on with a sealed token in a body that is packed or in another charset. A body that cannot be unpacked is
 * not searched. @throws Refusal.
 */
export async function refuseSealedWithin(
  body: Uint8Array,
  writtenAs: WrittenAs,
  receiving: Receiving,
  holder: Holder,
): Promise<void> {
  const plain = await plainBody(body, writtenAs, receiving, holder).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (plain !== undefined) refuseSealedBody(plain)
}

/** The parts of a call that is passed on to the legacy service. */
export interface PassedOn {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Uint8Array | null
}

/** Whether a sealed token stands in a call that is passed on. Its `Authorization` header has been read before. */
export function passesSealed({ path, headers, body }: PassedOn): boolean {
  if (holdsSealed(path) || (body !== null && bytesHoldSealed(body))) return true
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' ? holdsSealed(value) : value?.some(holdsSealed)) return true
  }
  return false
}

/**
 * Replaces the sealed tokens in a call that is passed on by the token that the legacy service itself issued. So that service gets what
 * it would get without a gateway: in a cookie, in a link, or in the body of a logout.
 * @throws Refusal if a token cannot be opened, holds none of the legacy service, or cannot be replaced where it stands.
 */
export async function withOwnToken<Parts extends PassedOn>(
  parts: Parts,
  sealer: TokenSealer | undefined,
): Promise<Parts> {
  const ownIn = async (text: string): Promise<string> => {
    if (!holdsSealed(text)) return text
    const sealed = sealedIn(text)
    const { legacy } = (sealed === undefined ? undefined : await sealer?.open(sealed)) ?? {}
    const replaced = legacy !== undefined && PLAIN.test(legacy) ? replaceSealed(text, legacy) : text
    // It may hold another one, or one in base64.
    if (holdsSealed(replaced)) throw invalidToken()
    return replaced
  }
  const path = await ownIn(parts.path)
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(parts.headers)) {
    headers[name] = typeof value === 'string' ? await ownIn(value) : await Promise.all(value.map(ownIn))
  }
  const { body } = parts
  if (body === null || !bytesHoldSealed(body)) return { ...parts, path, headers }
  const replaced = Buffer.from(await ownIn(Buffer.from(body).toString('latin1')), 'latin1')
  if (headers['content-length'] !== undefined) headers['content-length'] = String(replaced.length)
  return { ...parts, path, headers, body: replaced }
}

/** A token that means the same in a header, a query, a form and a JSON text. */
const PLAIN = /^[\w.~-]+$/

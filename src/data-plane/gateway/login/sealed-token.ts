import { CompactEncrypt, compactDecrypt } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

/** The tokens that one login got from both services. */
export interface ServiceTokens {
  /** The client that logged in; undefined if the login did not say. */
  readonly client?: string | undefined
  readonly v1?: string | undefined
  readonly legacy?: string | undefined
}

/** Seals the tokens of both services into one. Any replica with the same keys can open it, so none keeps a session. */
export interface TokenSealer {
  seal(tokens: ServiceTokens): Promise<string>
  /** Returns what is in a token; undefined if it is not ours, was changed, or was sealed with an unknown key. */
  open(token: string): Promise<ServiceTokens | undefined>
}

const HEADER = { alg: 'dir', enc: 'A256GCM', typ: 'legacy-gateway' } as const
/** The first part of every token of ours, whatever its key: the encoded header. */
const HEADER_PART = Buffer.from(JSON.stringify(HEADER)).toString('base64url')
/** The start of every token of ours: the header and no encrypted key (RFC 7516 section 7.1). */
export const START = `${HEADER_PART}..`

const content = z.object({ client: z.string().optional(), v1: z.string().optional(), legacy: z.string().optional() })

/** How many opened tokens are remembered: a client sends the same one with every call. */
const REMEMBERED = 10_000

/**
 * How long `Authorization: Bearer …` may be before `onLarge` is called. Many clients and proxies accept no longer
 * header, or no more for all headers together.
 */
const MAX_HEADER_BYTES = 8_192
const AROUND_TOKEN = 'Authorization: Bearer '.length

/**
 * Seals tokens as JWE (RFC 7516), A256GCM with the key itself.
 * @param keys 32 bytes each. The first one seals, all of them open.
 * @param onLarge called with the header's length in bytes when a sealed token makes a header of more than 8 KB.
 */
export function tokenSealer(
  keys: readonly [Uint8Array, ...Uint8Array[]],
  onLarge: (headerBytes: number) => void = () => undefined,
): TokenSealer {
  const opened = new LRUCache<string, ServiceTokens>({ max: REMEMBERED })
  return {
    async seal(tokens) {
      const text = new TextEncoder().encode(JSON.stringify(tokens))
      const token = await new CompactEncrypt(text).setProtectedHeader(HEADER).encrypt(keys[0])
      const headerBytes = AROUND_TOKEN + token.length
      if (headerBytes > MAX_HEADER_BYTES) onLarge(headerBytes)
      return token
    },
    async open(token) {
      if (!token.startsWith(START)) return undefined
      const remembered = opened.get(token)
      if (remembered !== undefined) return remembered
      for (const key of keys) {
        const decrypted = await compactDecrypt(token, key).catch(() => undefined)
        if (decrypted === undefined) continue
        const tokens = content.parse(JSON.parse(new TextDecoder().decode(decrypted.plaintext)))
        opened.set(token, tokens)
        return tokens
      }
      return undefined
    },
  }
}

/**
 * Looks for tokens that a gateway like this one sealed, in whatever form a program wrote them: with another scheme or none, in quotes,
 * percent-encoded, or in base64 as in `Basic`. Each begins with the same header, under whatever key it was sealed, and no token of a
 * service does. So no text that holds one may reach a service, which could use it to call the other one.
 */

/** The header in base64, where it begins at the first, second or third byte of a group. */
const IN_BASE64 = ['', 'x', 'xx'].map((before) => {
  const coded = Buffer.from(before + HEADER_PART).toString('base64')
  // The groups at both ends depend on what stands beside the header too.
  return coded.slice(before === '' ? 0 : 4, Math.floor((before.length + HEADER_PART.length) / 3) * 4)
})

const MARKS: readonly string[] = [HEADER_PART, ...IN_BASE64]
/** The end of the header: bytes are searched for a short text several times as fast as for the whole header. */
const HEADER_END = Buffer.from(HEADER_PART.slice(-12))
/** No sealed token is shorter: its header, its nonce, its tag, and what is between. */
const SHORTEST = 120

/** The five parts of a token, with no encrypted key (RFC 7516 section 7.1). Dots may be percent-encoded. */
const TOKEN = new RegExp(String.raw`${HEADER_PART}(?:(?:\.|%2[eE])[\w-]*){4}`, 'g')
const ENCODED_DOT = /%2[eE]/g
const BASE64 = /[\w+/-]{80,}=*/g

/** Whether a token that is written with the scheme Bearer holds a sealed one. */
export const tokenHoldsSealed = (token: string): boolean => token.includes(HEADER_PART)

/** Whether a text holds a sealed token, or a part of one that begins with its header. */
export const holdsSealed = (text: string): boolean =>
  // Shorter than the header, as nearly all texts are.
  text.length >= HEADER_PART.length && MARKS.some((mark) => text.includes(mark))

/** Like `holdsSealed`, for a body, in which nobody writes a token in base64. */
export function bytesHoldSealed(body: Uint8Array): boolean {
  if (body.length < SHORTEST) return false
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  return bytes.includes(HEADER_END) && bytes.includes(HEADER_PART, 0, 'latin1')
}

/** Returns the first sealed token in a text, as it was issued; undefined: none can be read. */
export function sealedIn(text: string): string | undefined {
  const [token] = text.match(TOKEN) ?? []
  if (token !== undefined) return token.replaceAll(ENCODED_DOT, '.')
  for (const [coded] of text.matchAll(BASE64)) {
    const [within] = Buffer.from(coded, 'base64').toString('latin1').match(TOKEN) ?? []
    if (within !== undefined) return within.replaceAll(ENCODED_DOT, '.')
  }
  return undefined
}

/** Replaces every sealed token that stands in a text in plain. */
export const replaceSealed = (text: string, token: string): string => text.replace(TOKEN, () => token)

/** Returns a text to be shown, without sealed tokens. */
export const withoutSealed = (text: string): string => (holdsSealed(text) ? '(sealed token)' : text)

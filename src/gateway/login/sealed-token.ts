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
export const HEADER_PART = Buffer.from(JSON.stringify(HEADER)).toString('base64url')
/** How every token of ours starts: with the header and no encrypted key (RFC 7516 section 7.1). */
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

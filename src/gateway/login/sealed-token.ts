import { CompactEncrypt, compactDecrypt } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

/** The tokens of both services, as one login got them. */
export interface ServiceTokens {
  /** Who logged in; undefined when the login did not say. */
  readonly client?: string | undefined
  readonly v1?: string | undefined
  readonly legacy?: string | undefined
}

/** Makes one token of those of both services, which any replica with the same keys can open: none keeps a session. */
export interface TokenSealer {
  seal(tokens: ServiceTokens): Promise<string>
  /** What is in a token; undefined when it is none of ours, was changed, or was sealed under a key that is not known. */
  open(token: string): Promise<ServiceTokens | undefined>
}

const HEADER = { alg: 'dir', enc: 'A256GCM', typ: 'legacy-gateway' } as const
/** What every token of ours starts with: the header, and no encrypted key (RFC 7516 section 7.1). */
const START = `${Buffer.from(JSON.stringify(HEADER)).toString('base64url')}..`

const content = z.object({ client: z.string().optional(), v1: z.string().optional(), legacy: z.string().optional() })

/** How many opened tokens are remembered: a client sends the same one with every call. */
const REMEMBERED = 10_000

/** How long `Authorization: Bearer …` may be: many clients and proxies take no longer header, or all of them together. */
const LONGEST_HEADER = 8_192
const AROUND_TOKEN = 'Authorization: Bearer '.length

/**
 * Seals tokens as JWE (RFC 7516), A256GCM with the key itself.
 * @param keys 32 bytes each; the first one seals, all of them open.
 * @param onLarge told of every token that was sealed and makes a header of more than 8 KB: how many bytes that has.
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
      if (headerBytes > LONGEST_HEADER) onLarge(headerBytes)
      return token
    },
    async open(token) {
      if (!token.startsWith(START)) return undefined
      const known = opened.get(token)
      if (known !== undefined) return known
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

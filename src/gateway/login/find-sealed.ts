import { HEADER_PART } from './sealed-token.ts'

/**
 * Looks for tokens that a gateway like this one sealed, in whatever form a program wrote them: with another scheme or none, in quotes,
 * percent-encoded, or in base64 as in `Basic`. Each begins with the same header, under whatever key it was sealed, and no token of a
 * service does. So no text that holds one may reach a service, which could use it to call the other one.
 */

/** What base64 makes of the header, where it begins at the first, second or third byte of a group. */
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

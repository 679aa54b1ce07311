/** Characters that may stand for one another. */
export type Alphabet = readonly string[]

const LOWER = [...'abcdefghijklmnopqrstuvwxyz']
const UPPER = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const DIGITS = [...'0123456789']

const range = (first: number, last: number, step = 1): Alphabet =>
  Array.from({ length: (last - first) / step + 1 }, (_, at) => String.fromCodePoint(first + at * step))

interface Kind {
  readonly is: RegExp
  /** By the number of bytes in UTF-8. */
  readonly alphabets: Readonly<Partial<Record<number, Alphabet>>>
}

/** Beyond ASCII. The first kind that fits decides; where it has no alphabet of that length, the next one does. */
const KINDS: readonly Kind[] = [
  { is: /\p{N}/u, alphabets: { 2: range(0x660, 0x669), 3: range(0xff10, 0xff19), 4: range(0x1d7d8, 0x1d7e1) } },
  // Latin Extended Additional (Vietnamese): capital and small letters take turns.
  { is: /\p{Lu}/u, alphabets: { 2: [...'ÇĞİÖŞÜ'] } },
  { is: /(?=\p{Script=Latin})\p{Lu}/u, alphabets: { 3: range(0x1ea0, 0x1ef8, 2) } },
  { is: /(?=\p{Script=Latin})\p{L}/u, alphabets: { 3: range(0x1ea1, 0x1ef9, 2) } },
  // Accents on the letter before.
  { is: /\p{M}/u, alphabets: { 2: range(0x300, 0x30f) } },
  // Any other letter, also a vowel sign that is a mark: small Turkish letters, and characters of Chinese.
  { is: /[\p{L}\p{M}]/u, alphabets: { 2: [...'çğıöşü'], 3: range(0x4e00, 0x4eff), 4: range(0x20000, 0x200ff) } },
]

/**
 * Returns the characters that may stand for this one: of its kind, its case and its length in UTF-8, so that a limit
 * that the one keeps to is kept by the other. Undefined: it is no letter and no digit, and stands for itself.
 */
export function alphabetOf(character: string): Alphabet | undefined {
  const code = character.codePointAt(0) ?? 0
  return code < 0x80 ? ASCII[code] : beyondAscii(character)
}

const ASCII: readonly (Alphabet | undefined)[] = Array.from({ length: 0x80 }, (_, code) =>
  [LOWER, UPPER, DIGITS].find((alphabet) => alphabet.includes(String.fromCharCode(code))),
)

function beyondAscii(character: string): Alphabet | undefined {
  const bytes = Buffer.byteLength(character)
  for (const { is, alphabets } of KINDS) {
    const alphabet = alphabets[bytes]
    if (alphabet !== undefined && is.test(character)) return alphabet
  }
  return undefined
}

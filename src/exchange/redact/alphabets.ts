/** The code points of characters that may stand for one another. */
export type Alphabet = readonly number[]

const range = (first: number, last: number, step = 1): Alphabet =>
  Array.from({ length: (last - first) / step + 1 }, (_, at) => first + at * step)
const charactersOf = (text: string): Alphabet => [...text].map((character) => character.codePointAt(0) ?? 0)

interface Kind {
  readonly is: RegExp
  /** By the number of bytes in UTF-8. */
  readonly alphabets: Readonly<Partial<Record<number, Alphabet>>>
}

/** The first kind that fits decides; where it has no alphabet of that length, the next one does. */
const KINDS: readonly Kind[] = [
  {
    is: /\p{N}/u,
    alphabets: {
      ...{ 1: charactersOf('0123456789'), 2: range(0x660, 0x669) },
      ...{ 3: range(0xff10, 0xff19), 4: range(0x1d7d8, 0x1d7e1) },
    },
  },
  { is: /\p{Lu}/u, alphabets: { 1: charactersOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ'), 2: charactersOf('ÇĞİÖŞÜ') } },
  // Latin Extended Additional (Vietnamese): capital and small letters take turns.
  { is: /(?=\p{Script=Latin})\p{Lu}/u, alphabets: { 3: range(0x1ea0, 0x1ef8, 2) } },
  { is: /(?=\p{Script=Latin})\p{L}/u, alphabets: { 3: range(0x1ea1, 0x1ef9, 2) } },
  // Accents on the letter before.
  { is: /\p{M}/u, alphabets: { 2: range(0x300, 0x30f) } },
  // Any other letter, including a vowel sign that is a mark. Those of three and four bytes become Chinese characters.
  {
    is: /[\p{L}\p{M}]/u,
    alphabets: {
      ...{ 1: charactersOf('abcdefghijklmnopqrstuvwxyz'), 2: charactersOf('çğıöşü') },
      ...{ 3: range(0x4e00, 0x4eff), 4: range(0x20000, 0x200ff) },
    },
  },
]

/**
 * Returns the characters that may stand for this one: of its kind, its case and its length in UTF-8, so that they meet the same
 * limits. Undefined: the character is neither a letter nor a digit, and stands for itself.
 */
export function alphabetOf(character: number): Alphabet | undefined {
  if (character < ASCII.length) return ASCII[character]
  if (character >= 0x10000) return findAlphabet(character)
  if (!found.has(character)) found.set(character, findAlphabet(character))
  return found.get(character)
}

function findAlphabet(code: number): Alphabet | undefined {
  const character = String.fromCodePoint(code)
  const bytes = Buffer.byteLength(character)
  return KINDS.find(({ is, alphabets }) => alphabets[bytes] !== undefined && is.test(character))?.alphabets[bytes]
}

const ASCII = Array.from({ length: 0x80 }, (_, code) => findAlphabet(code))
/** The alphabets that have been looked up, of 65,536 characters at most. */
const found = new Map<number, Alphabet | undefined>()

/** JSON as the tests compare it: numbers and texts as they were written, and no duplicate names. */
export type Tree =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Tree> }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }

export const leaf = (text: string): Tree => ({ kind: 'leaf', text })
export const objectOf = (members: Iterable<readonly [string, Tree]>): Tree => ({
  kind: 'object',
  members: new Map(members),
})
export const arrayOf = (items: readonly Tree[]): Tree => ({ kind: 'array', items })

export const isNull = (tree: Tree): boolean => tree.kind === 'leaf' && tree.text === 'null'

const TOKEN = /[\s]*("(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+)/suy

/** Reads a JSON text. Refuses duplicate names in an object. */
export function readTree(text: string): Tree {
  JSON.parse(text)
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) tokens.push(found[1] ?? '')
  let at = 0
  const next = (): string => tokens[at++] ?? ''
  const read = (): Tree => {
    const token = next()
    if (token === '[') return arrayOf(readItems())
    return token === '{' ? { kind: 'object', members: readMembers() } : leaf(token)
  }
  const readItems = (): readonly Tree[] => {
    const items: Tree[] = []
    while (tokens[at] !== ']') {
      items.push(read())
      if (tokens[at] === ',') at++
    }
    at++
    return items
  }
  const readMembers = (): ReadonlyMap<string, Tree> => {
    const members = new Map<string, Tree>()
    while (tokens[at] !== '}') {
      const token = next()
      const name = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
      if (members.has(name)) throw new Error(`${name} comes twice in ${text}`)
      at++
      members.set(name, read())
      if (tokens[at] === ',') at++
    }
    at++
    return members
  }
  return read()
}

/** The same text for all trees that differ only in the order of members. */
export function canonical(tree: Tree): string {
  if (tree.kind === 'leaf') return tree.text
  if (tree.kind === 'array') return `[${tree.items.map(canonical).join(',')}]`
  const members = [...tree.members].map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`)
  return `{${members.sort().join(',')}}`
}

/** The content of a text, whatever its white space and the order of its members. */
export const contentOf = (text: string | Uint8Array): string =>
  canonical(readTree(typeof text === 'string' ? text : Buffer.from(text).toString()))

/** The style in which a tree is written. Both lists are used in turn, and repeated. */
export interface Style {
  readonly spaces: readonly string[]
  readonly escapesKey: readonly boolean[]
}

export function written(tree: Tree, { spaces, escapesKey }: Style): string {
  let spaceAt = 0
  let keyAt = 0
  const space = (): string => spaces[spaceAt++ % spaces.length] ?? ''
  const key = (name: string): string =>
    escapesKey[keyAt++ % escapesKey.length] === true ? `"${escaped(name)}"` : JSON.stringify(name)
  const write = (node: Tree): string => {
    if (node.kind === 'leaf') return `${space()}${node.text}${space()}`
    const inner =
      node.kind === 'array'
        ? node.items.map(write)
        : [...node.members].map(([name, value]) => `${space()}${key(name)}${space()}:${write(value)}`)
    const [open, close] = node.kind === 'array' ? '[]' : '{}'
    return `${space()}${open}${inner.length === 0 ? space() : inner.join(',')}${close}${space()}`
  }
  return write(tree)
}

const escaped = (name: string): string =>
  name.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

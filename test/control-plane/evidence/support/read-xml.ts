export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** The text between its tags, without its children's. */
  readonly text: string
}

const TOKEN = /<\?xml [^?]*\?>|<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/** Reads an XML document that has elements, attributes and text; throws when it is not well-formed. */
export function readXml(xml: string): XmlElement {
  const root: Open = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  TOKEN.lastIndex = 0
  for (let at = 0; at < xml.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(xml)
    const element = open.at(-1)
    if (token === null || element === undefined) throw new Error(`no XML at ${at}: ${xml.slice(at, at + 40)}`)
    const [, end, name, attributes = '', isEmpty, text] = token
    if (text !== undefined) element.text += unescaped(text)
    else if (end === '/') {
      if (element.name !== name) throw new Error(`</${name}> where ${element.name} is open`)
      open.pop()
    } else if (name !== undefined) {
      const child: Open = { name, attributes: attributesOf(attributes), children: [], text: '' }
      element.children.push(child)
      if (isEmpty !== '/') open.push(child)
    }
  }
  const [only, ...others] = root.children
  if (open.length !== 1 || only === undefined || others.length > 0) throw new Error('not one whole element')
  return only
}

const attributesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(text.matchAll(ATTRIBUTE), ([, name = '', value = '']) => [name, unescaped(value)]))

const unescaped = (text: string): string =>
  text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    const character = ENTITIES[name]
    if (character === undefined) throw new Error(`no entity: ${whole}`)
    return character
  })

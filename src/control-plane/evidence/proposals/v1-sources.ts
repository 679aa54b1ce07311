import { isObject, type JsonValue } from '../diff/json-value.ts'
import { memberPath } from '../diff/path.ts'
import { MOST_SOURCES } from './learned.ts'
import { isPersonal } from './personal.ts'

/** A place in v1's objects. Its members are found without building their paths again in each row. */
interface Node {
  readonly path: string
  readonly isPersonal: boolean
  /** Not set before the place has a value or null. */
  id: number | undefined
  readonly members: Map<string, Node>
}

/** Deeper members are not looked at. */
const MOST_LEVELS = 6

/** The v1 paths that can be the source of a legacy path, numbered in the order in which they were met. */
export class Sources {
  readonly paths: string[] = []
  readonly isPersonal: boolean[] = []
  /** Whether there were too many. */
  isCut = false
  readonly #roots: readonly Node[]

  /** @param chain the paths of the objects around the legacy path, outermost first. */
  constructor(chain: readonly string[]) {
    this.#roots = chain.map((path) => ({ path, isPersonal: false, id: undefined, members: new Map() }))
  }

  /** Calls `take` with each value in the objects of a chain, lists and objects included; without what is in lists. */
  read(chain: readonly JsonValue[], take: (source: number, value: JsonValue) => void): void {
    for (const [level, root] of this.#roots.entries()) this.#members(root, chain[level] ?? null, take, 1)
  }

  #members(node: Node, value: JsonValue, take: (source: number, value: JsonValue) => void, level: number): void {
    if (isObject(value)) {
      for (const name of Object.keys(value)) {
        let member = node.members.get(name)
        if (member === undefined) {
          member = {
            path: memberPath(node.path, name),
            isPersonal: node.isPersonal || isPersonal(name),
            id: undefined,
            members: new Map(),
          }
          node.members.set(name, member)
        }
        this.#value(member, value[name] ?? null, take, level)
      }
    } else if (value === null) for (const member of node.members.values()) this.#value(member, null, take, level)
  }

  #value(node: Node, value: JsonValue, take: (source: number, value: JsonValue) => void, level: number): void {
    if (node.id === undefined) {
      if (this.paths.length >= MOST_SOURCES) {
        this.isCut = true
        return
      }
      node.id = this.paths.push(node.path) - 1
      this.isPersonal.push(node.isPersonal)
    }
    take(node.id, value)
    if (level < MOST_LEVELS && (isObject(value) || node.members.size > 0)) this.#members(node, value, take, level + 1)
  }
}

import {
  leavesOf,
  linesOf,
  type PathNode,
  type PathTree,
  pathTree,
  plant,
  segmentsOf,
} from '../../engine/compile/shape-lines.ts'
import type { ContextRule, FieldRule, LostRule, Rule, Shape } from '../../mapping/shape.ts'
import { explainShape } from '../lines/explain-shape.ts'
import type { ExplainedLine } from '../lines/explained-line.ts'
import { sayLine } from '../lines/explained-line.ts'
import { type Part, type Schema, schemaOfConverted, schemaOfType } from './schema-types.ts'

export type { Part } from './schema-types.ts'

/** Collects the schemas of shapes, one for each shape and part. */
export interface SchemaBook {
  /** Returns a reference to the schema of a shape. */
  refer(shape: Shape, part: Part): Schema
  /** Returns all schemas referred to so far, by name, for `components.schemas`. */
  schemas(): Readonly<Record<string, Schema>>
}

/** Creates an empty book. An answer has every member of a `complete` shape, because the gateway requires them. */
export function schemaBook(complete: ReadonlySet<Shape> = new Set()): SchemaBook {
  const schemas = new Map<string, Schema>()
  const names: Readonly<Record<Part, Map<Shape, string>>> = { request: new Map(), answer: new Map() }
  const book: SchemaBook = {
    refer(shape, part) {
      const existing = names[part].get(shape)
      const name = existing ?? freeName(schemaName(shape.name), schemas)
      if (existing === undefined) {
        names[part].set(shape, name)
        // Reserves the place before describing the inner shapes, so that they follow it.
        schemas.set(name, {})
        schemas.set(name, describeShape(shape, part, book, complete.has(shape)))
      }
      return { $ref: `#/components/schemas/${name}` }
    },
    schemas: () => Object.fromEntries(schemas),
  }
  return book
}

/** Turns the name of a shape into that of a schema: `id and slug` becomes `IdAndSlug`. */
export const schemaName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Returns a name that is not taken yet. */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}${number}`
  return free
}

function describeShape(shape: Shape, part: Part, book: SchemaBook, isComplete: boolean): Schema {
  const lines = explainShape(shape, part, { legacy: '', v1: '' })
  const tree = pathTree<Member>()
  for (const [path, rule] of Object.entries(shape.rules)) {
    plant(tree, segmentsOf(path), { rule, line: lines.find(({ legacy }) => legacy === path) })
  }
  const isWhole = part === 'answer' && shape.closed
  const hidden = part === 'answer' && !shape.closed ? v1NamesOf(shape) : []
  return {
    ...describeBranch(tree, part, book, isWhole, isComplete),
    description: [shape.name, ...lines.filter(isAboutTheWhole).map(sayLine)].join('. '),
    ...(hidden.length === 0 ? {} : { propertyNames: { not: { enum: hidden } } }),
  }
}

interface Member {
  readonly rule: Rule
  readonly line: ExplainedLine | undefined
}

/** Describes an object with members of a shape. An object that only the gateway adds around them has no other members. */
function describeBranch(
  tree: PathTree<Member>,
  part: Part,
  book: SchemaBook,
  isWhole: boolean,
  isComplete: boolean,
): Schema {
  const nodes = [...tree.children]
  const properties = nodes.map(([name, node]) => [
    name,
    'leaf' in node
      ? describeMember(node.leaf, part, book)
      : describeBranch(node, part, book, part === 'answer', isComplete),
  ])
  const required = nodes.flatMap(([name, node]) =>
    part === 'answer' && (isComplete || isAlwaysThere(node)) ? [name] : [],
  )
  return {
    type: 'object',
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: !isWhole,
  }
}

/** Whether a member always exists: the gateway adds or requires it. A member that v1 may leave out can be missing. */
const isAlwaysThere = (node: PathNode<Member>): boolean =>
  leavesOf(node).some(({ rule }) => rule.kind !== 'field' || rule.promised !== undefined)

function describeMember({ rule, line }: Member, part: Part, book: SchemaBook): Schema {
  const schema =
    rule.kind === 'field'
      ? schemaOfField(rule, part, book)
      : rule.kind === 'lost' && part === 'answer'
        ? { type: 'null' }
        : schemaOfFilled(rule, part)
  if (line === undefined) return schema
  const ofType = rule.kind === 'lost' && rule.type !== undefined ? ` Its type in legacy: ${rule.type}.` : ''
  return { ...schema, description: `${sayLine(line)}${ofType}`, 'x-basis': line.basis }
}

/** Describes a member that is filled in. In an answer it is null if its value is not available. */
function schemaOfFilled(rule: LostRule | ContextRule, part: Part): Schema {
  const isAnswered = part === 'answer'
  const converter = rule.kind === 'context' && rule.value.kind === 'converted' ? rule.value.by : undefined
  return converter?.legacy === undefined
    ? schemaOfType(rule.type, isAnswered)
    : schemaOfConverted(converter.legacy, part, isAnswered)
}

function schemaOfField({ value, type, nullable }: FieldRule, part: Part, book: SchemaBook): Schema {
  if (value.kind === 'object') {
    const object = book.refer(value.shape, part)
    return nullable ? { anyOf: [object, { type: 'null' }] } : object
  }
  if (value.kind === 'converted' && value.by.legacy !== undefined) {
    return schemaOfConverted(value.by.legacy, part, nullable)
  }
  const schema = schemaOfType(type, nullable)
  return value.kind === 'list' ? { ...schema, items: book.refer(value.shape, part) } : schema
}

/** Whether a line is about members that the table does not list, or that legacy does not have. */
const isAboutTheWhole = ({ legacy, change }: ExplainedLine): boolean =>
  legacy === '' || (legacy === null && change === 'added in v1')

/** Returns the members of v1's record that never appear under their own name, because they are moved or left out. */
function v1NamesOf(shape: Shape): readonly string[] {
  const lines = linesOf(shape, 'toLegacy')
  const legacy = new Set(lines.map(({ target }) => target?.[0]))
  const moved = lines.flatMap(({ source }) => (source?.length === 1 ? source : []))
  return [...moved, ...Object.keys(shape.v1Only).filter((path) => !path.includes('.'))].filter(
    (name) => !legacy.has(name),
  )
}

import { v1LinesOf } from '../../engine/compile/scope.ts'
import {
  leavesOf,
  type PathNode,
  type PathTree,
  pathTree,
  plant,
  segmentsOf,
} from '../../engine/compile/shape-lines.ts'
import type { LegacyValues } from '../../mapping/converter.ts'
import type { Accepted } from '../../mapping/reader.ts'
import type { ContextRule, FieldRule, LostRule, Rule, Shape } from '../../mapping/shape.ts'
import { explainShape, type Part, placeOf } from '../lines/explain-shape.ts'
import { type ExplainedLine, sayLine } from '../lines/explained-line.ts'
import { objectSchema, orNull, type Schema, type SchemaBook, schemaBook, schemaOfType } from './schema-book.ts'

/** The schemas of legacy shapes, one for each shape and part. */
export type LegacyBook = SchemaBook<Part>

/** Creates an empty book. An answer has every member of a `complete` shape, because the gateway requires them. */
export const legacyBook = (complete: ReadonlySet<Shape> = new Set()): LegacyBook =>
  schemaBook((shape, part, book) => describeShape(shape, part, book, complete.has(shape)))

function describeShape(shape: Shape, part: Part, book: LegacyBook, isComplete: boolean): Schema {
  const lines = explainShape(shape, part, placeOf('', ''))
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
  book: LegacyBook,
  isWhole: boolean,
  isComplete: boolean,
): Schema {
  const nodes = [...tree.children]
  const properties = nodes.map(([name, node]): [string, Schema] => [
    name,
    'leaf' in node
      ? describeMember(node.leaf, part, book)
      : describeBranch(node, part, book, part === 'answer', isComplete),
  ])
  const required = nodes.flatMap(([name, node]) =>
    part === 'answer' && (isComplete || isAlwaysThere(node)) ? [name] : [],
  )
  return objectSchema(properties, required, !isWhole)
}

/** Whether a member always exists: the gateway adds or requires it. A member that v1 may leave out can be missing. */
const isAlwaysThere = (node: PathNode<Member>): boolean =>
  leavesOf(node).some(({ rule }) => rule.kind !== 'field' || rule.promised !== undefined || rule.absent === 'null')

function describeMember({ rule, line }: Member, part: Part, book: LegacyBook): Schema {
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
  if (rule.kind === 'context' && rule.source.from === 'constant' && isAnswered) {
    return { const: JSON.parse(rule.source.json) as unknown }
  }
  const converter = rule.kind === 'context' && rule.value.kind === 'converted' ? rule.value.by : undefined
  return converter?.legacy === undefined
    ? schemaOfType('legacy', rule.type, isAnswered)
    : schemaOfConverted(converter.legacy, part, isAnswered)
}

function schemaOfField({ value, type, nullable }: FieldRule, part: Part, book: LegacyBook): Schema {
  if (value.kind === 'object') return orNull(book.refer(value.shape, part), nullable)
  if (value.kind === 'converted' && value.by.legacy !== undefined) {
    return schemaOfConverted(value.by.legacy, part, nullable)
  }
  const schema = schemaOfType('legacy', type, nullable)
  return value.kind === 'list' ? { ...schema, items: book.refer(value.shape, part) } : schema
}

/** Whether a line is about members that the table does not list, or that legacy does not have. */
const isAboutTheWhole = ({ legacy, change }: ExplainedLine): boolean =>
  legacy === '' || (legacy === null && change === 'added in v1')

/** Returns the members of v1's record that never appear under their own name, because they are moved or left out. */
function v1NamesOf(shape: Shape): readonly string[] {
  const legacy = new Set(Object.keys(shape.rules).map((path) => segmentsOf(path)[0]))
  const moved = v1LinesOf(shape).flatMap(({ v1: [name = '', ...beneath] }) => (beneath.length === 0 ? [name] : []))
  return [...moved, ...Object.keys(shape.v1Only).filter((path) => !path.includes('.'))].filter(
    (name) => !legacy.has(name),
  )
}

/**
 * Returns the schema of a converted member. A request may contain only the converter's values. An answer may contain
 * others that v1 added; the schema allows them, because a client generated from it must accept them.
 */
function schemaOfConverted({ type, values, format }: LegacyValues, part: Part, nullable: boolean): Schema {
  const schema: Schema = { ...schemaOfType('legacy', type, nullable), ...(format === undefined ? {} : { format }) }
  if (values === undefined) return schema
  const listed = { ...schema, enum: nullable ? [...values, null] : values }
  return part === 'request' ? listed : { anyOf: [listed, schema] }
}

/** Returns the schema of a parameter in a legacy query, where every value is text. An empty one counts as not sent. */
export function schemaInQuery({ type, low, high, values, format }: Accepted): Schema {
  if (values !== undefined) return { anyOf: [{ type: 'string', enum: values }, { type: 'string' }] }
  if (type === 'bool') return { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }] }
  if (format !== undefined) return { type: 'string', format }
  return type === 'int' ? { type: 'integer', ...range(low, high) } : { type: 'string' }
}

/** Returns the schema of a parameter in a legacy body. A number or a boolean may also be sent as text. */
export function schemaInBody({ type, low, high, values, format }: Accepted): Schema {
  if (values !== undefined) return { anyOf: [{ type: 'string', enum: values }, {}] }
  if (type === 'date') return { type: 'string' }
  if (type === 'bool') return { type: ['boolean', 'integer', 'string'] }
  if (format !== undefined) return { type: ['number', 'string'], format }
  if (type !== 'int') return { type: ['string', 'number', 'boolean'] }
  // With a range, only digits are accepted as text.
  const digits = low === undefined ? {} : { pattern: '^\\d+$' }
  return { type: ['integer', 'string'], ...range(low, high), ...digits }
}

/** Adds the values that count as not sent. */
export const orNotSent = (schema: Schema): Schema => ({ anyOf: [schema, { $ref: '#/components/schemas/NotSent' }] })

/** The schema of values that count as not sent, for `components.schemas`. */
export const NOT_SENT: Readonly<Record<string, Schema>> = {
  NotSent: {
    description: 'Counts as not sent.',
    anyOf: [
      { type: 'null' },
      { type: 'string', enum: [''] },
      { type: 'array', items: {}, maxItems: 0 },
      { type: 'object', additionalProperties: false },
    ],
  },
}

const range = (low: number | undefined, high: number | undefined): Schema => ({
  ...(low === undefined ? {} : { minimum: low }),
  ...(high === undefined ? {} : { maximum: high }),
})

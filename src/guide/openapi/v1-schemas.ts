import { v1LinesOf } from '../../engine/compile/scope.ts'
import { type PathNode, type PathTree, pathTree, plant, segmentsOf } from '../../engine/compile/shape-lines.ts'
import type { FieldRule, Shape } from '../../mapping/shape.ts'
import type { V1Value } from '../../mapping/v1-facts.ts'
import { objectSchema, orNull, type Schema, type SchemaBook, schemaBook, schemaOfType } from './schema-book.ts'

/** Facts that the contract shows of members, besides the shape, by v1 path. */
type Members = Readonly<Record<string, V1Value>>

/** The schemas of v1's records. The same shape with other `members` has another schema. */
export type V1Book = SchemaBook<Members>

/** Creates an empty book. */
export const v1Book = (): V1Book =>
  schemaBook((shape, members, book) => ({ ...describeShape(shape, members, book), description: shape.name }))

/** No members that the contract shows besides the shape. */
export const NO_MEMBERS: Members = {}

interface Member {
  /** Undefined: only v1 has it. */
  readonly rule: FieldRule | undefined
  readonly legacy: string | undefined
  readonly fact: V1Value | undefined
}

/** Describes the v1 side of a shape: its members under their v1 names. The contract shows no member to be required. */
function describeShape(shape: Shape, members: Members, book: V1Book): Schema {
  const tree = pathTree<Member>()
  const mapped = new Set<string>()
  for (const { rule, legacy, v1 } of v1LinesOf(shape)) {
    const path = v1.join('.')
    mapped.add(path)
    plant(tree, v1, { rule, legacy, fact: members[path] })
  }
  for (const [path, fact] of Object.entries(members)) {
    if (!mapped.has(path)) plant(tree, segmentsOf(path), { rule: undefined, legacy: undefined, fact })
  }
  return describeBranch(tree, '', book)
}

/** The contract does not rule out other members for any object of v1. */
const describeBranch = (tree: PathTree<Member>, at: string, book: V1Book): Schema =>
  objectSchema(
    [...tree.children].map(([name, node]) => [name, describeNode(node, `${at}${name}`, book)]),
    [],
    true,
  )

function describeNode(node: PathNode<Member>, path: string, book: V1Book): Schema {
  if (!('leaf' in node)) return describeBranch(node, `${path}.`, book)
  const { rule, legacy, fact } = node.leaf
  const basis = basisOf(node.leaf)
  const isCorrected = fact === undefined && rule?.basis.kind === 'corrected'
  const says = [
    ...(fact?.says === undefined ? [] : [fact.says]),
    ...(fact?.null === 'not sent' ? ['Null counts as not sent.'] : []),
    ...(legacy === undefined || legacy === path ? [] : [`In legacy: ${legacy}.`]),
    ...(basis === undefined ? [] : [`Assumed: ${basis}.`]),
  ]
  return {
    ...(rule === undefined ? schemaOfType('v1', fact?.type) : schemaOfField(rule, book)),
    ...(fact === undefined ? {} : limitsOf(fact)),
    ...(fact?.null === 'refused' ? { not: { type: 'null' } } : {}),
    ...(says.length === 0 ? {} : { description: says.join(' ') }),
    'x-basis': isCorrected ? 'corrected' : basis === undefined ? 'documented' : 'assumed',
  }
}

/** Returns why a member is assumed. A member that the contract shows for v1 is not, even if its legacy name is. */
function basisOf({ rule, fact }: Member): string | undefined {
  if (fact !== undefined) return fact.assumed
  return rule?.basis.kind === 'assumed' ? rule.basis.reason : undefined
}

function schemaOfField({ value, type, nullable: isNull, absent }: FieldRule, book: V1Book): Schema {
  // What legacy shows in place of null says nothing against null in v1.
  const nullable = isNull || absent !== undefined
  if (value.kind === 'object') return orNull(book.refer(value.shape, NO_MEMBERS), nullable)
  if (value.kind === 'list') {
    return { ...schemaOfType('v1', 'array', nullable), items: book.refer(value.shape, NO_MEMBERS) }
  }
  // The contract shows v1's form of a converted value for timestamps only.
  return value.kind === 'converted' && type !== 'timestamp' ? {} : schemaOfType('v1', type, nullable)
}

/** Returns the schema of a parameter in a v1 query. An empty value is never valid (docs/contract.md 8.5). */
export function schemaInV1Query(value: V1Value): Schema {
  const { type, default: byDefault, oneAndZero } = value
  const withDefault = byDefault === undefined ? {} : { default: byDefault }
  if (oneAndZero === true) return { anyOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }], ...withDefault }
  return { ...schemaOfType('v1', type), ...limitsOf(value), ...withDefault }
}

/** Returns the constraints on a value, besides its type. */
function limitsOf({ low, high, shortest, longest, values, anyCase, isList, notEmpty }: V1Value): Schema {
  if (isList === true) return { minLength: shortest, pattern: listPattern(shortest ?? 1, longest) }
  return {
    ...(low === undefined ? {} : { minimum: low }),
    ...(high === undefined ? {} : { maximum: high }),
    ...(shortest === undefined ? {} : { minLength: shortest }),
    ...(longest === undefined ? {} : { maxLength: longest }),
    ...(notEmpty === true ? { minItems: 1 } : {}),
    ...(values === undefined ? {} : anyCase === true ? inAnyCase(values) : { enum: values }),
  }
}

const listPattern = (shortest: number, longest: number | undefined): string => {
  const item = `[^,]{${shortest},${longest ?? ''}}`
  return `^${item}(?:,${item})*$`
}

/** Lists the values, for generated clients, and allows every spelling of them. */
const inAnyCase = (values: readonly (string | number)[]): Schema => ({
  anyOf: [{ enum: values }, { pattern: `^(?:${values.map((value) => spellings(String(value))).join('|')})$` }],
})

const spellings = (value: string): string =>
  value.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`)

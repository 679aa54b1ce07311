import { isIndex, partsOf } from '../../engine/error-path.ts'
import type { Exchange, ExchangeRequest } from '../../exchange/exchange.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { RequestMapping } from '../../mapping/request.ts'
import type { Shape } from '../../mapping/shape.ts'
import { MOST_LOOKED_AT } from '../../planes/look-sampler.ts'
import { isEmpty, scalarOf } from '../evidence/coverage/sent-request.ts'
import { isObject, type JsonValue, readBody } from '../evidence/diff/json-value.ts'
import { isAt, itemsPath, memberPath, segmentsOf } from '../evidence/diff/path.ts'
import { bodyLinesOf, type MappingLine, subjectOf } from '../evidence/expected/mapping-lines.ts'
import { languageOf } from '../evidence/reply.ts'
import { type Marks, MOST_FORMS, NOTHING_SEEN, type Seen } from './usage.ts'
import { formMarker } from './value-forms.ts'

/** A call to look at. */
export interface LookedAt {
  readonly request: Pick<ExchangeRequest, 'query' | 'headers' | 'body'>
  /** `body` is undefined if it is too large to be looked at. */
  readonly answer: { readonly status: number; readonly body: Uint8Array | undefined }
}

/** Returns what a call shows, without any of its values: each mark is 1. The status is counted elsewhere, for every call. */
export type LookAt = (call: LookedAt) => Seen

/**
 * Returns a function that looks at calls of an operation.
 * @param lines the operation's mapping lines: only their legacy paths are ever named. Without any, requests are not looked at.
 */
export function lookerAt(mapping: Operation, lines: readonly MappingLine[]): LookAt {
  const sent = sentBy(mapping, lines)
  const answered = bodyLinesOf(lines, 'answer')
    .filter((line) => subjectOf(line) === 'field')
    .map(({ legacy }) => ({ legacy, segments: segmentsOf(legacy) }))
  const known = new Set(bodyLinesOf(lines, 'request').flatMap(({ legacy }) => (legacy === '' ? [] : [legacy])))
  return ({ request, answer }) => {
    const shown = {
      ...NOTHING_SEEN,
      ...{ calls: 1, languages: { [languageOf(request.headers)]: 1 } },
      ...(lines.length > 0 && sent(request)),
    }
    const json = answer.body === undefined || answer.body.length === 0 ? undefined : parsed(answer.body)
    if (json === undefined) return shown
    if (answer.status >= 400) return { ...shown, violations: violationsIn(json, known) }
    const has = answered.filter(({ segments }) => isAt(json, segments, (value) => value !== null))
    return { ...shown, answered: marked(has.map(({ legacy }) => legacy)) }
  }
}

/** Looks at an exchange. Undefined: its request is too large, or its answer cannot be decoded. */
export async function lookAtExchange(exchange: Exchange, lookAt: LookAt): Promise<Seen | undefined> {
  const { request } = exchange
  if (request.body.length > MOST_LOOKED_AT) return undefined
  const answer = await exchange.answer().catch(() => undefined)
  if (answer === undefined) return undefined
  const body = answer.body.length > MOST_LOOKED_AT ? undefined : answer.body
  return lookAt({ request, answer: { status: answer.status, body } })
}

/** What a request shows. */
type Sent = Pick<Seen, 'members' | 'empty' | 'removed' | 'forms' | 'other'>

function sentBy(mapping: Operation, lines: readonly MappingLine[]): (request: LookedAt['request']) => Sent {
  const tree = requestTree(mapping, lines)
  const isQuery = mapping.request.kind === 'query-parameters'
  const isRemoved = removedValues(mapping)
  const markForm = formMarker(mapping)
  return (request) => {
    const found = { members: new Set<string>(), empty: new Set<string>(), removed: new Set<string>(), others: false }
    const forms = new Set<string>()
    const visit = (value: JsonValue, node: RequestNode): void => {
      const { path } = node
      if (path !== undefined) {
        ;(isEmpty(value) ? found.empty : found.members).add(path)
        if (isRemoved(path, value)) found.removed.add(path)
        const form = isEmpty(value) || forms.size === MOST_FORMS ? undefined : markForm(path, value)
        if (form !== undefined) forms.add(form)
      }
      if (Array.isArray(value)) {
        if (node.items !== undefined) for (const item of value as readonly JsonValue[]) visit(item, node.items)
      } else if (isObject(value) && (node === tree || node.members.size > 0)) {
        for (const name of Object.keys(value)) {
          const inner = node.members.get(name)
          if (inner !== undefined) visit(value[name] ?? null, inner)
          else if (node.tellsOthers) found.others = true
        }
      }
    }
    const query = request.query === '' ? undefined : new URLSearchParams(request.query)
    if (isQuery) visit(Object.fromEntries(query ?? []), tree)
    else {
      const json = request.body.length === 0 ? undefined : readBody(request.body).json
      if (json !== undefined) visit(json, tree)
      // The mapping reads only the body.
      if (query !== undefined) found.others = true
    }
    return {
      ...{ members: marked(found.members), empty: marked(found.empty), removed: marked(found.removed) },
      ...(forms.size > 0 && { forms: marked(forms) }),
      other: found.others ? 1 : 0,
    }
  }
}

/** Returns a function that says whether v1 has removed a value of a parameter. */
function removedValues(mapping: Operation): (path: string, value: JsonValue) => boolean {
  const removed = Object.entries(parametersOf(mapping.request)).flatMap(([path, { reader, retired }]) =>
    retired === undefined ? [] : [[path, { reader, values: retired.values }] as const],
  )
  const byPath = new Map(removed)
  return (path, value) => {
    const parameter = byPath.get(path)
    if (parameter === undefined || isEmpty(value)) return false
    const reading = parameter.reader.read(scalarOf(value))
    return 'send' in reading && parameter.values.includes(reading.send)
  }
}

/** Returns the members named by validation errors; docs/contract.md 9.3. Paths without a mapping line count together. */
function violationsIn(json: JsonValue, known: ReadonlySet<string>): Marks {
  const violations = isObject(json) ? json.violations : undefined
  if (!Array.isArray(violations)) return {}
  const paths = (violations as readonly JsonValue[]).slice(0, MOST_VIOLATIONS).map((violation) => {
    const path = isObject(violation) ? violation.propertyPath : undefined
    const written = typeof path === 'string' ? withoutIndices(path) : OTHER_MEMBERS
    return known.has(written) ? written : OTHER_MEMBERS
  })
  return marked(paths)
}

/** Cannot be the path of a member, unlike `other`. */
const OTHER_MEMBERS = 'other members'
/** The most read from one answer: more would add nothing. */
const MOST_VIOLATIONS = 1_000
const LONGEST_PATH = 500

/** `products[1].unitOfMeasure.code` becomes `products[].unitOfMeasure.code`. */
const withoutIndices = (path: string): string =>
  path.length > LONGEST_PATH
    ? OTHER_MEMBERS
    : partsOf(path).reduce((so, part) => (isIndex(part) ? `${so}[]` : so === '' ? part : `${so}.${part}`), '')

const marked = (names: Iterable<string>): Marks => Object.fromEntries(Array.from(names, (name) => [name, 1]))

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses an answer without keeping its exact digits, which do not matter here. */
function parsed(body: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(decoder.decode(body)) as JsonValue
  } catch {
    return undefined
  }
}

/** A place in a legacy request, and the places within it that have a mapping line. */
interface RequestNode {
  /** The legacy path of its mapping line; undefined if it has none. */
  path: string | undefined
  /** Whether its members without a mapping line are counted: true for the root, and for an object of which only listed members are sent. */
  readonly tellsOthers: boolean
  readonly members: Map<string, RequestNode>
  items: RequestNode | undefined
}

/** Returns the places of a request that have a mapping line, from the root of its body or query. */
function requestTree({ request, login }: Operation, lines: readonly MappingLine[]): RequestNode {
  const isClosed = closedPlaces(request)
  const root = newNode(true)
  // The credentials of a login have no mapping line, and need not be reported.
  if (login !== undefined) for (const name of [login.client, login.secret]) root.members.set(name, newNode(false))
  for (const line of bodyLinesOf(lines, 'request')) {
    if (line.legacy === '' || subjectOf(line) !== 'field') continue
    let node = root
    let place = ''
    for (const segment of segmentsOf(line.legacy)) {
      place = segment === null ? itemsPath(place) : memberPath(place, segment)
      // The root of an open shape counts other members; the places within it do not.
      const tellsOthers = isClosed.get(place) ?? (node === root ? isClosed.get('') === true : node.tellsOthers)
      if (segment === null) {
        node.items ??= newNode(tellsOthers)
        node = node.items
      } else {
        const next = node.members.get(segment) ?? newNode(tellsOthers)
        node.members.set(segment, next)
        node = next
      }
    }
    node.path = line.legacy
  }
  return root
}

const newNode = (tellsOthers: boolean): RequestNode => ({
  ...{ path: undefined, tellsOthers, members: new Map(), items: undefined },
})

/** Returns, by legacy path, whether the shape of each object that has one is closed. */
function closedPlaces(request: RequestMapping): ReadonlyMap<string, boolean> {
  const places = new Map<string, boolean>()
  const note = (shape: Shape, place: string): void => {
    places.set(place, shape.closed)
    for (const [path, rule] of Object.entries(shape.rules)) {
      if (rule.kind !== 'field' || !('shape' in rule.value)) continue
      const inner = place === '' ? path : `${place}.${path}`
      note(rule.value.shape, rule.value.kind === 'list' ? itemsPath(inner) : inner)
    }
  }
  if (request.kind === 'body') note(request.shape, '')
  else places.set('', true)
  return places
}

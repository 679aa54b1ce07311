import {
  type LineToSee,
  linesToSee,
  lineText,
  type Showing,
} from '../../control-plane/evidence/coverage/lines-to-see.ts'
import { type SentRequest, sentMembers } from '../../control-plane/evidence/coverage/sent-request.ts'
import { partOf } from '../../control-plane/evidence/diff/difference.ts'
import {
  canonicalText,
  isObject,
  type JsonValue,
  type ReadBody,
  readBody,
} from '../../control-plane/evidence/diff/json-value.ts'
import { isAt, type Segment, segmentsOf } from '../../control-plane/evidence/diff/path.ts'
import { bodyLinesOf, type MappingLine } from '../../control-plane/evidence/expected/mapping-lines.ts'
import { languageOf } from '../../control-plane/evidence/reply.ts'
import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import { KINDS, parameterKinds } from './value-kind.ts'
import { MemberTable, OTHER, walkBody } from './walk-body.ts'

/** A recorded exchange of an operation, as it is kept. */
interface CoveredExchange {
  readonly request: ExchangeRequest
  /** The recorded status; undefined: the recording has no answer. */
  readonly status: number | undefined
  readonly answer: Uint8Array | undefined
}

/**
 * Returns the numbers of the elements that an exchange covers, ascending: the call of its operation, each mapping line that it
 * shows, its status, and the kinds of value at each place of request and answer (docs/clients.md).
 */
export function elementsOf(book: ElementBook, operation: CoveredOperation, exchange: CoveredExchange): Uint32Array {
  const { request, status, answer } = exchange
  const covered = new Set<number>()
  const add = (element: string): void => void covered.add(book.numberOf(operation.id, element))
  const part = status === undefined ? undefined : partOf(status)
  const read = readOf(answer)
  const asked = readOf(operation.readsQuery ? undefined : request.body)

  add(status === undefined ? 'no answer' : `status ${status}`)
  for (const line of linesShown(operation, exchange, read)) add(line)
  for (const value of namedValues(operation, request, asked)) add(value)

  const addKinds = (name: string, table: MemberTable): void =>
    table.take((member) => {
      if (member.isOther) return add(`${name} ${OTHER}`)
      for (let kind = 0; kind < KINDS.length; kind++) {
        if ((member.kinds & (1 << kind)) === 0) continue
        const number = member.elements[kind] ?? book.numberOf(operation.id, `${name} ${member.path}: ${KINDS[kind]}`)
        member.elements[kind] = number
        covered.add(number)
      }
    })

  const unread = operation.readsQuery
    ? markQuery(operation.request, request.query)
    : markBody(operation.request, request.body, asked)
  if (unread !== undefined) add(`request ${unread}`)
  addKinds('request', operation.request)
  if (part !== undefined) {
    const problem = markBody(operation[part], answer, read)
    if (problem !== undefined) add(`${part} ${problem}`)
    addKinds(part, operation[part])
  }
  if (part === 'error') for (const path of violationsIn(read?.json)) add(`violation ${operation.violation(path)}`)
  return Uint32Array.from(covered).sort()
}

/** Returns the mapping lines that an exchange shows. Recorded legacy answers do not hold v1's error codes. */
function linesShown(
  { toSee, sentIn }: CoveredOperation,
  { request, status }: CoveredExchange,
  read: ReadBody | undefined,
): readonly string[] {
  const isSuccess = status !== undefined && partOf(status) === 'answer'
  const showing = {
    isSent: sentIn(request),
    language: languageOf(request.headers),
    success: isSuccess ? read?.json : undefined,
    code: undefined,
  }
  return toSee.filter((line) => line.isShownIn(showing)).map((line) => `line ${lineText(line)}`)
}

/** Returns a request's values for members whose values the mapping lists. */
function namedValues(
  { named, readsQuery }: CoveredOperation,
  { query }: ExchangeRequest,
  asked: ReadBody | undefined,
): readonly string[] {
  if (named.length === 0) return []
  const parameters = readsQuery ? new URLSearchParams(query) : undefined
  const json = asked?.json
  return named.flatMap(({ legacy, segments, values }) => {
    const sent: string[] = []
    const isKept = (value: JsonValue): boolean => {
      sent.push(typeof value === 'string' ? value : canonicalText(value))
      return false
    }
    if (parameters !== undefined) sent.push(...parameters.getAll(legacy))
    else if (json !== undefined) isAt(json, segments, isKept)
    return sent.map((value) => `request ${legacy} = ${values.has(value) ? value : 'another value'}`)
  })
}

function markQuery(table: MemberTable, query: string): undefined {
  for (const [name, value] of new URLSearchParams(query))
    table.mark(table.member(table.root, name), parameterKinds(value))
}

/** Marks the values of a body. Returns why it has none that can be read; undefined: they are marked. */
function markBody(table: MemberTable, body: Uint8Array | undefined, read: ReadBody | undefined): string | undefined {
  if (body === undefined || read === undefined) return 'empty'
  if (read.unread === undefined) walkBody(body, table)
  return read.unread
}

const readOf = (body: Uint8Array | undefined): ReadBody | undefined =>
  body === undefined || body.length === 0 ? undefined : readBody(body)

/** Returns the members that the violations in a legacy error name; docs/contract.md 12. */
function violationsIn(error: JsonValue | undefined): readonly string[] {
  const violations = isObject(error) ? error.violations : undefined
  if (!Array.isArray(violations)) return []
  return violations.flatMap((one: JsonValue) =>
    isObject(one) && typeof one.propertyPath === 'string' ? [one.propertyPath] : [],
  )
}

/** Numbers elements, so that sets of them are small. */
export class ElementBook {
  readonly #numbers = new Map<string, Map<string, number>>()
  readonly #elements: { readonly operation: string; readonly element: string }[] = []

  get count(): number {
    return this.#elements.length
  }

  /** Returns the number of an element of an operation. */
  numberOf(operation: string, element: string): number {
    const ofOperation = this.#numbers.get(operation) ?? new Map<string, number>()
    this.#numbers.set(operation, ofOperation)
    const number = ofOperation.get(element) ?? this.#elements.push({ operation, element }) - 1
    ofOperation.set(element, number)
    return number
  }

  /** Returns the text of an element, for instance `request statusId: zero`. */
  elementAt(number: number): string {
    return this.#elements[number]?.element ?? ''
  }

  operationAt(number: number): string {
    return this.#elements[number]?.operation ?? ''
  }
}

/** An operation, prepared to find what its exchanges cover. */
export interface CoveredOperation {
  readonly id: string
  readonly toSee: readonly LineToSee[]
  sentIn(request: SentRequest): Showing['isSent']
  /** Whether its request is a query rather than a body. */
  readonly readsQuery: boolean
  /** The places in its bodies. */
  readonly request: MemberTable
  readonly answer: MemberTable
  readonly error: MemberTable
  /** Members of the request whose values the mapping lists, with these values. */
  readonly named: readonly {
    readonly legacy: string
    readonly segments: readonly Segment[]
    readonly values: ReadonlySet<string>
  }[]
  /** Returns a violation's name, or `other` beyond the bound. */
  violation(propertyPath: string): string
}

/** The most members that violations name; all further ones are `other`. */
const MOST_VIOLATIONS = 100
/** Matches the name of a member, but no sentence or value. */
const PROPERTY = /^[A-Za-z_][\w.[\]-]{0,127}$/
const INDEX = /\[\d+\]/g

/** Prepares an operation. @param lines the lines that explain it. */
export function coveredOperation(mapping: Operation, lines: readonly MappingLine[]): CoveredOperation {
  const { request } = mapping
  const pathsOf = (part: string): readonly string[] => bodyLinesOf(lines, part).map(({ legacy }) => legacy)
  const parameters = Object.entries(parametersOf(request))
  const violation = atMost(MOST_VIOLATIONS)
  return {
    id: mapping.id,
    toSee: linesToSee(mapping, lines),
    sentIn: (sent) => sentMembers(request, sent),
    readsQuery: request.kind === 'query-parameters',
    request: new MemberTable([...pathsOf('request'), ...parameters.map(([name]) => name)]),
    answer: new MemberTable(pathsOf('answer')),
    error: new MemberTable(pathsOf('error')),
    named: parameters.flatMap(([legacy, { reader, retired }]) => {
      const values = new Set([...(reader.accepts.values ?? []), ...(retired?.values ?? [])])
      return values.size === 0 ? [] : [{ legacy, segments: segmentsOf(legacy), values }]
    }),
    violation: (path) => violation(PROPERTY.test(path) ? path.replaceAll(INDEX, '[]') : OTHER),
  }
}

/** Returns a function that returns the first `most` different texts unchanged, and `OTHER` for all further ones. */
export function atMost(most: number): (text: string) => string {
  const seen = new Set<string>()
  return (text) => {
    if (seen.has(text)) return text
    if (seen.size >= most) return OTHER
    seen.add(text)
    return text
  }
}

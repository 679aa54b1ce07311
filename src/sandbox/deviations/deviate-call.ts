import { z } from 'zod'
import type { Endpoint, Operation, Outcome } from '../faces/service-operation.ts'
import type { Call, FaceName } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import { deviateAnswer } from './deviate-answer.ts'
import type { Deviation } from './deviation-file.ts'
import { type Conversion, type Form, toLegacy, toV1 } from './line-conversion.ts'
import {
  isMembers,
  type LinePath,
  listsOf,
  type Members,
  memberOf,
  removeAt,
  setAt,
  valueAt,
  writePath,
} from './line-path.ts'
import type { RequestDeviation } from './request-lines.ts'

/** Answers a call as an operation that deviates. Throws a ServiceError that names fields as the deviating face does. */
export function answerDeviating(
  operation: Operation & Endpoint,
  call: Call,
  sent: object,
  deviation: Deviation,
): Outcome {
  const { requests } = deviation
  if (requests.length === 0) return deviateAnswer(operation.answer(call, sent), deviation)
  const read = call.face === 'v1' ? readAsV1(operation, sent, requests) : readAsLegacy(operation, sent, requests)
  try {
    return deviateAnswer(operation.answer(call, read.sent, read.added), deviation)
  } catch (error) {
    throw error instanceof ServiceError ? withNames(error, call, requests) : error
  }
}

/** A request as the contract has it. */
interface Read {
  readonly sent: Members
  /** Parameters for the legacy face that only v1 has by the contract. */
  readonly added: Members
}

/** Reads what v1 takes under its deviating names. It does not take those of the contract. */
function readAsV1({ takes }: Endpoint, request: object, lines: readonly RequestDeviation[]): Read {
  const sent = structuredClone(request) as Members
  const changes = lines.flatMap(({ v1, contract, by }) => {
    const wanted = typesAt(takes, contract)
    // What the contract does not have may be something that only v1 has, under its own name.
    const to = wanted === undefined && v1 !== undefined ? v1 : contract
    return objectsAt(sent, listsOf(contract)).map((object) => {
      const value = v1 && valueAt(object, memberOf(v1))
      return { object, from: v1, to, value: value === undefined ? undefined : inContract(by, value, wanted, takes) }
    })
  })
  for (const { object, from, to } of changes) {
    removeAt(object, memberOf(to))
    if (from !== undefined) removeAt(object, memberOf(from))
  }
  for (const { object, to, value } of changes) {
    if (value !== undefined) setAt(object, memberOf(to), value)
  }
  return { sent, added: {} }
}

/** Reads what legacy takes, also what it takes in addition to the contract. */
function readAsLegacy(
  { takes, v1: v1Endpoint }: Operation & Endpoint,
  request: object,
  lines: readonly RequestDeviation[],
): Read {
  const sent = structuredClone(request) as Members
  const added: Members = {}
  for (const { legacy, v1, by } of lines) {
    const wanted = typesAt(takes, legacy)
    for (const object of objectsAt(sent, listsOf(legacy))) {
      const value = valueAt(object, memberOf(legacy))
      if (value === undefined) continue
      if (wanted !== undefined) setAt(object, memberOf(legacy), typed(by, value, 'legacy', wanted, takes))
      else if (v1 !== undefined && v1Endpoint?.takes.place === 'query' && typesAt(v1Endpoint.takes, v1) !== undefined)
        setAt(added, memberOf(v1), textOf(toV1(by, value)))
    }
  }
  return { sent, added }
}

type Takes = Endpoint['takes']

/** Returns the contract's value for one of a deviating v1. */
function inContract(by: Conversion, value: unknown, wanted: readonly string[] | undefined, takes: Takes): unknown {
  if (by.as === 'string' || by.as === 'number' || by.as === '0/1') return typed(by, value, 'v1', wanted ?? [], takes)
  if (takes.place === 'body') return toLegacy(by, value)
  if (by.scale !== undefined) return textOf(toLegacy(by, Number(value)))
  const names = by.names?.map(([legacy, v1]) => [String(legacy), String(v1)] as const)
  return textOf(toLegacy({ ...by, names }, value))
}

/** The JSON types that a face takes where a line changes the type. */
const taken: Partial<Readonly<Record<Form, Readonly<Record<FaceName, readonly string[]>>>>> = {
  string: { legacy: ['string'], v1: ['number', 'boolean'] },
  number: { legacy: ['number'], v1: ['string'] },
  '0/1': { legacy: ['number'], v1: ['boolean'] },
}

/** No schema of a single value accepts it. */
const refused: readonly never[] = []

/**
 * Returns a value in the type that the contract wants, where a line changes the type. A face takes only its own type; of another
 * one, the contract's schema refuses what this returns. Parameters are always texts.
 */
function typed({ as }: Conversion, value: unknown, face: FaceName, wanted: readonly string[], takes: Takes): unknown {
  const types = as === undefined ? undefined : taken[as]?.[face]
  if (takes.place !== 'body' || types === undefined || value === null) return value
  if (!types.includes(typeof value)) return refused
  if (wanted.includes(typeof value)) return value
  if (wanted.includes('string')) return String(value)
  if (wanted.includes('boolean'))
    return (
      new Map([
        ['true', true],
        ['1', true],
        ['false', false],
        ['0', false],
      ]).get(String(value)) ?? value
    )
  const number = Number(value)
  return value !== '' && Number.isFinite(number) ? number : value
}

const textOf = (value: unknown): unknown => (typeof value === 'object' ? value : String(value))

/** The objects of a body that lists lead to. */
const objectsAt = (body: Members, lists: LinePath): readonly Members[] =>
  lists.reduce<readonly Members[]>(
    (objects, names) =>
      objects.flatMap((object) => {
        const list = valueAt(object, names)
        return Array.isArray(list) ? list.filter(isMembers) : []
      }),
    [body],
  )

/** Returns the JSON types that a request may have at a path. Undefined: the contract has no such member. */
function typesAt({ schema }: Takes, path: LinePath): readonly string[] | undefined {
  let schemas: readonly JsonSchema[] = [z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })]
  for (const [depth, names] of path.entries()) {
    for (const name of names) {
      schemas = schemas.flatMap(variantsOf).flatMap(({ properties }) => objectOf(properties?.[name]))
    }
    if (depth < path.length - 1) schemas = schemas.flatMap(variantsOf).flatMap(({ items }) => objectOf(items))
  }
  return schemas.length === 0 ? undefined : schemas.flatMap(variantsOf).flatMap(({ type }) => type ?? [])
}

type JsonSchema = z.core.JSONSchema.BaseSchema

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] => [schema, ...(schema.anyOf ?? []).flatMap(objectOf)]

const objectOf = (schema: unknown): readonly JsonSchema[] => (isMembers(schema) ? [schema as JsonSchema] : [])

/** Returns an error whose violations have the names of the deviating face. */
function withNames(error: ServiceError, { face }: Call, lines: readonly RequestDeviation[]): ServiceError {
  const { violations } = error.details
  if (violations === undefined) return error
  const names = new Map(
    lines.flatMap(({ legacy, contract, v1 }) => {
      if (v1 === undefined) return []
      const [from, to] = face === 'v1' ? [contract, v1] : [v1, legacy]
      return [[writePath(from), writePath(to)]]
    }),
  )
  const renamed = violations.map(({ path, message }) => {
    const indices = path.match(/\[\d+\]/g) ?? []
    const name = names.get(path.replaceAll(/\[\d+\]/g, '[]'))
    return { path: name?.replaceAll('[]', () => indices.shift() ?? '[]') ?? path, message }
  })
  return new ServiceError('VALIDATION_FAILED', { ...error.details, violations: renamed })
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { operations } from '../../../mappings/index.ts'
import { v1Facts } from '../../../mappings/v1/facts.ts'
import { describeV1 } from '../../../src/guide/openapi/v1-openapi.ts'

const json = z.object({ 'application/json': z.object({ schema: z.unknown(), example: z.unknown().optional() }) })
const schema = z.record(z.string(), z.unknown())

const parameter = z.object({
  name: z.string(),
  in: z.enum(['query', 'path', 'header']),
  description: z.string().optional(),
  schema,
  example: z.unknown().optional(),
  'x-basis': z.enum(['documented', 'assumed']).optional(),
})

const operation = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), parameter])),
  requestBody: z.object({ required: z.boolean(), content: json }).optional(),
  responses: z.record(
    z.string(),
    z.union([z.object({ $ref: z.string(), description: z.string().optional() }), z.object({ content: json })]),
  ),
})

const document = z.object({
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.partialRecord(z.enum(['get', 'post']), operation)),
  components: z.object({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), z.object({ content: json })),
  }),
})

/** The description as it is served. */
export const described = (v1?: string): object =>
  JSON.parse(JSON.stringify(describeV1(operations, v1Facts, v1 === undefined ? undefined : new URL(v1))))

/** The parts of the description that the tests look at. */
export const v1 = document.parse(described())

/** A query or path parameter of an operation. */
export type Parameter = z.infer<typeof parameter>

export interface DescribedCall extends z.infer<typeof operation> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly own: readonly Parameter[]
}

export const calls: readonly DescribedCall[] = Object.entries(v1.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({
    ...one,
    ...{ method: method === 'get' ? ('GET' as const) : ('POST' as const), path },
    own: one.parameters.flatMap((each) => ('name' in each ? [each] : [])),
  })),
)

export function callOf(id: string): DescribedCall {
  const found = calls.find(({ operationId }) => operationId === id)
  if (found === undefined) throw new Error(`${id} is not described`)
  return found
}

export function parameterOf(id: string, name: string): Parameter {
  const found = callOf(id).own.find((one) => one.name === name)
  if (found === undefined) throw new Error(`${id} has no ${name}`)
  return found
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date', (text) => z.iso.date().safeParse(text).success)
ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
ajv.addSchema(described(), 'v1.json')

/** By the text of their schemas: compiling one takes far longer than a check. */
const checks = new Map<string, ValidateFunction>()

function checkOf(given: unknown): ValidateFunction {
  // References lead into the document.
  const text = JSON.stringify(given).replaceAll('"#/', '"v1.json#/')
  const check = checks.get(text) ?? ajv.compile(JSON.parse(text))
  checks.set(text, check)
  return check
}

/** Where a value breaks a schema of the description; null: nowhere. */
export function problemsOf(given: unknown, value: unknown): string | null {
  const check = checkOf(given)
  return check(value) ? null : ajv.errorsText(check.errors)
}

/** The schema of a call's answer with a status; undefined: that status is not described. */
export function answerSchema({ responses }: DescribedCall, status: number): unknown {
  const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (found === undefined) return undefined
  if ('content' in found) return found.content['application/json'].schema
  return v1.components.responses[found.$ref.split('/').at(-1) ?? '']?.content['application/json'].schema
}

import type { z } from 'zod'
import type { Call } from '../service.ts'
import { ServiceError } from '../service-error.ts'
import type { ListedRows, Paging } from '../store/stored-lists.ts'
import { type Rules, validate } from '../validation/validate-request.ts'

/** An operation of the service, as both faces have it. */
export interface Operation {
  /** One sentence for the reader of a description. */
  readonly says: string
  /** v1's message for a success. It is Turkish in every language. */
  readonly message: string
  /** Default: true. */
  readonly needsToken: boolean
  readonly v1?: Endpoint
  readonly legacy: Endpoint
}

/** An operation in one face. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** Written as in docs/contract.md 4 and 6; a variable part is `{id}`. */
  readonly path: string
  readonly takes: Pick<RequestForm<unknown>, 'place' | 'schema'>
  /** The schema of one item of a list. Only the description of v1 has it. */
  readonly item?: z.ZodObject
  /** Answers a call. Throws a ServiceError for an error answer. */
  answer(call: Call, sent: unknown): Outcome
}

/** The success of a call. Each face writes it in its own form. */
export type Outcome =
  | { readonly kind: 'record'; readonly record: object; readonly isNew: boolean }
  | { readonly kind: 'list'; readonly items: readonly object[]; readonly paging: Paging | undefined }
  | { readonly kind: 'done' }

/** What the requests of one face contain: where it is, and how it is validated and read. */
export interface RequestForm<Input> {
  /** `filters` is a JSON body that a list reads like a query. */
  readonly place: 'path' | 'query' | 'body' | 'filters'
  readonly schema: z.ZodObject
  /** Throws VALIDATION_FAILED. */
  read(sent: unknown, call: Call): Input
}

interface EndpointRow<Input> extends Pick<Endpoint, 'method' | 'path' | 'item'> {
  readonly takes: RequestForm<NoInfer<Input>>
}

interface OperationRow<Input> extends Pick<Operation, 'says' | 'message'> {
  readonly needsToken?: boolean
  readonly v1?: EndpointRow<Input>
  readonly legacy: EndpointRow<Input>
  readonly answer: (call: Call, input: Input) => Outcome
}

/** Builds an operation of the table: both faces read their requests into the same input, and answer it alike. */
export function operation<Input>({ v1, legacy, answer, needsToken = true, ...rest }: OperationRow<Input>): Operation {
  const endpoint = (row: EndpointRow<Input>): Endpoint => ({
    ...row,
    answer: (call, sent) => answer(call, row.takes.read(sent, call)),
  })
  return { ...rest, needsToken, ...(v1 && { v1: endpoint(v1) }), legacy: endpoint(legacy) }
}

/** The variable parts of the path. */
export function path<Schema extends z.ZodObject>(schema: Schema): RequestForm<z.output<Schema>> {
  return requestForm('path', schema)
}

export function query<Schema extends z.ZodObject>(schema: Schema): RequestForm<z.output<Schema>> {
  return requestForm('query', schema)
}

export function filters<Schema extends z.ZodObject>(schema: Schema): RequestForm<z.output<Schema>> {
  return requestForm('filters', schema)
}

export function body<Schema extends z.ZodObject>(
  schema: Schema,
  rulesFor?: (call: Call) => Rules<z.output<Schema>>,
): RequestForm<z.output<Schema>> {
  return requestForm('body', schema, rulesFor)
}

function requestForm<Schema extends z.ZodObject>(
  place: RequestForm<unknown>['place'],
  schema: Schema,
  rulesFor?: (call: Call) => Rules<z.output<Schema>>,
): RequestForm<z.output<Schema>> {
  return {
    place,
    schema,
    read(sent, call) {
      const validated = validate(sent, schema, call.language, rulesFor?.(call))
      if ('errors' in validated) throw new ServiceError('VALIDATION_FAILED', { violations: validated.errors })
      return validated.data
    },
  }
}

/** A request whose valid contents become the input of the operation by `convert`. */
export function converted<Sent, Input>(form: RequestForm<Sent>, convert: (sent: Sent) => Input): RequestForm<Input> {
  return { ...form, read: (sent, call) => convert(form.read(sent, call)) }
}

export function record(record: object): Outcome {
  return { kind: 'record', record, isNew: false }
}

export function created(record: object): Outcome {
  return { kind: 'record', record, isNew: true }
}

export function list<Listed>({ rows, paging }: ListedRows<Listed>, present: (row: Listed) => object): Outcome {
  return { kind: 'list', items: rows.map(present), paging }
}

export const done: Outcome = { kind: 'done' }

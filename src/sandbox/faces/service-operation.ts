import type { z } from 'zod'
import type { Call } from '../service.ts'
import type { ListedRows, Paging } from '../store/stored-lists.ts'
import type { RequestForm } from '../validation/validate-request.ts'

/** An operation of the service, as both faces have it. */
export interface Operation {
  /** One sentence for the reader of a description. */
  readonly says: string
  /** v1's message for a success. It is Turkish in every language. */
  readonly message?: string
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

/** An endpoint as the table writes it. */
interface EndpointRow<Input> extends Pick<Endpoint, 'method' | 'path' | 'item'> {
  readonly takes: RequestForm<Input>
}

/** An operation as the table writes it. */
interface OperationRow<Input> extends Pick<Operation, 'says' | 'message'> {
  /** Default: true. */
  readonly needsToken?: boolean
  readonly v1?: EndpointRow<NoInfer<Input>>
  readonly legacy: EndpointRow<NoInfer<Input>>
  readonly answer: (call: Call, input: Input) => Outcome
}

/** Builds an operation of the table. Both faces read their requests into the same input, which `answer` gets. */
export function operation<Input>({ v1, legacy, answer, needsToken = true, ...rest }: OperationRow<Input>): Operation {
  const endpoint = (row: EndpointRow<Input>): Endpoint => ({
    ...row,
    answer: (call, sent) => answer(call, row.takes.read(sent, call)),
  })
  return { ...rest, needsToken, ...(v1 && { v1: endpoint(v1) }), legacy: endpoint(legacy) }
}

/** Builds the endpoint of a list. `item` is the schema of its items, in v1. */
export function get<Input>(path: string, takes: RequestForm<Input>, item?: z.ZodObject): EndpointRow<Input> {
  return { method: 'GET', path, takes, ...(item && { item }) }
}

export function post<Input>(path: string, takes: RequestForm<Input>): EndpointRow<Input> {
  return { method: 'POST', path, takes }
}

export function record(record: object): Outcome {
  return { kind: 'record', record, isNew: false }
}

/** The success of an operation that creates the record. */
export function created(record: object): Outcome {
  return { kind: 'record', record, isNew: true }
}

export function list<Listed>({ rows, paging }: ListedRows<Listed>, present: (row: Listed) => object): Outcome {
  return { kind: 'list', items: rows.map(present), paging }
}

export const done: Outcome = { kind: 'done' }

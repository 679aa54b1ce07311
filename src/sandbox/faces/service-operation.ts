import type { z } from 'zod'
import type { Call, FaceName } from '../service.ts'
import type { ListedRows, Paging } from '../store/stored-lists.ts'
import type { RequestForm } from '../validation/validate-request.ts'

/** An operation of the service, as both faces have it. */
export interface Operation {
  /** The name that files of deviations have for it: the id of its mapping in the gateway. */
  readonly id: string
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
  /**
   * Answers a call. Throws a ServiceError for an error answer.
   * @param added parameters of v1's list that legacy takes too, where it deviates from the contract.
   */
  answer(call: Call, sent: unknown, added?: Readonly<Record<string, unknown>>): Outcome
}

/** The success of a call, as it looks in a face. Each face writes it in its own form. */
export type Outcome =
  | { readonly kind: 'record'; recordIn(face: FaceName): object; readonly isNew: boolean }
  | { readonly kind: 'list'; itemsIn(face: FaceName): readonly object[]; readonly paging: Paging | undefined }
  | { readonly kind: 'done' }

/** An endpoint as the table writes it. */
interface EndpointRow<Input> extends Pick<Endpoint, 'method' | 'path' | 'item'> {
  readonly takes: RequestForm<Input>
}

/** An operation as the table writes it. */
interface OperationRow<Input> extends Pick<Operation, 'id' | 'says' | 'message'> {
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
    answer(call, sent, added = {}) {
      const input = row.takes.read(sent, call)
      if (v1 === undefined || Object.keys(added).length === 0) return answer(call, input)
      const inV1 = Object.entries(v1.takes.read(added, call) as object).filter(([name]) => Object.hasOwn(added, name))
      return answer(call, { ...input, ...Object.fromEntries(inV1) })
    },
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

export function record(recordIn: (face: FaceName) => object): Outcome {
  return { kind: 'record', recordIn, isNew: false }
}

/** The success of an operation that creates the record. */
export function created(recordIn: (face: FaceName) => object): Outcome {
  return { kind: 'record', recordIn, isNew: true }
}

export function list<Listed>(
  { rows, paging }: ListedRows<Listed>,
  call: Call,
  present: (row: Listed, call: Call) => object,
): Outcome {
  const itemsIn = (face: FaceName) => {
    const shown = { ...call, face }
    return rows.map((row) => present(row, shown))
  }
  return { kind: 'list', itemsIn, paging }
}

export const done: Outcome = { kind: 'done' }

import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { referToErrors } from './describe-errors.ts'
import { sampleOf } from './describe-example.ts'
import { exampleAnswer } from './describe-exchange.ts'
import { referToHeaders } from './describe-headers.ts'
import type { SchemaBook } from './describe-shape.ts'
import type { Schema } from './describe-type.ts'

/** What a legacy call may be answered with, `all` of the operations giving the examples, as OpenAPI's `responses`. */
export function describeAnswers(
  operation: CompiledOperation,
  all: readonly CompiledOperation[],
  book: SchemaBook,
): Schema {
  const { mapping } = operation
  return { ...describeSuccess(mapping, book, exampleOf(operation, all)), ...referToErrors(mapping) }
}

function describeSuccess({ response }: Operation, book: SchemaBook, example: unknown): Schema {
  const success = (schema: Schema, headers: Schema = referToHeaders('answer')): Schema => ({
    description: 'Done.',
    headers,
    content: { 'application/json': { schema, example } },
  })
  switch (response.kind) {
    case 'record':
      return { [response.status]: success(book.refer(response.shape, 'answer')) }
    case 'list':
      return { [response.status]: success({ type: 'array', items: book.refer(response.shape, 'answer') }) }
    case 'whole-list':
      return {
        [response.status]: success(
          { type: 'array', items: book.refer(response.shape, 'answer') },
          referToHeaders('answer', 'list'),
        ),
        304: {
          description: 'The list is the one that the client has: its entity tag was sent as If-None-Match.',
          headers: referToHeaders('answer', 'list'),
        },
      }
    case 'page':
      return { [response.status]: success(describePage(response, book)) }
    case 'no-content':
      return { [response.status]: { description: 'Done.', headers: referToHeaders('answer') } }
    case 'pass-through':
      return {
        200: success(response.answers === undefined ? {} : book.refer(response.answers, 'answer')),
        default: { description: 'Whatever else the legacy service answers, as it is.' },
      }
  }
}

/** The gateway itself writes the two members of a page. */
function describePage({ rows, meta }: Operation['response'] & { readonly kind: 'page' }, book: SchemaBook): Schema {
  return {
    type: 'object',
    properties: {
      [rows.at]: { type: 'array', items: book.refer(rows.shape, 'answer') },
      [meta.at]: book.refer(meta.shape, 'answer'),
    },
    required: [rows.at, meta.at],
    additionalProperties: false,
  }
}

/** An answer that is as described: the mapping's own, else one made from its table. */
function exampleOf(operation: CompiledOperation, all: readonly CompiledOperation[]): unknown {
  const { example, response } = operation.mapping
  if (example?.answer !== undefined) return example.answer
  if (response.kind === 'pass-through') return response.answers && sampleOf(response.answers, 'legacy')
  const made = exampleAnswer(operation, all)?.legacy.body
  return made === undefined ? undefined : JSON.parse(made)
}

import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import { referToErrors } from './describe-errors.ts'
import { sampleOf } from './describe-example.ts'
import { exampleAnswer } from './describe-exchange.ts'
import { referToHeaders } from './describe-headers.ts'
import type { SchemaBook } from './describe-shape.ts'
import type { Schema } from './describe-type.ts'

/** Describes the answers to a legacy call, as OpenAPI's `responses`. Examples may use values from `all` operations. */
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
          description: 'The client’s copy of the list is current: its entity tag was sent as If-None-Match.',
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
        default: { description: 'Any other answer of the legacy service, unchanged.' },
      }
  }
}

/** Describes a page. The gateway itself writes its two members. */
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

/** Returns an example of the answer: the mapping's own, otherwise one generated from its shape. */
function exampleOf(operation: CompiledOperation, all: readonly CompiledOperation[]): unknown {
  const { example, response } = operation.mapping
  if (example?.answer !== undefined) return example.answer
  if (response.kind === 'pass-through') return response.answers && sampleOf(response.answers, 'legacy')
  const generated = exampleAnswer(operation, all)?.legacy.body
  return generated === undefined ? undefined : JSON.parse(generated)
}

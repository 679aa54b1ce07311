import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'
import { segmentsOf } from '../compile/shape-lines.ts'
import { referToErrors } from './describe-errors.ts'
import { referToHeaders } from './describe-headers.ts'
import type { SchemaBook } from './describe-shape.ts'
import type { Schema } from './describe-type.ts'

/** What a legacy call may be answered with, as OpenAPI's `responses`. */
export function describeAnswers(operation: Operation, book: SchemaBook): Schema {
  return { ...describeSuccess(operation, book), ...referToErrors(operation) }
}

function describeSuccess({ response }: Operation, book: SchemaBook): Schema {
  const success = (schema: Schema, headers: Schema = referToHeaders('answer')): Schema => ({
    description: 'Done.',
    headers,
    content: { 'application/json': { schema } },
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

/** The gateway itself writes the two members of a page, and all counts of the second. */
function describePage({ rows, meta }: Operation['response'] & { readonly kind: 'page' }, book: SchemaBook): Schema {
  return {
    type: 'object',
    properties: {
      [rows.at]: { type: 'array', items: book.refer(rows.shape, 'answer') },
      [meta.at]: { ...book.refer(meta.shape, 'answer'), required: topLevelOf(meta.shape) },
    },
    required: [rows.at, meta.at],
    additionalProperties: false,
  }
}

const topLevelOf = ({ rules }: Shape): readonly string[] => [
  ...new Set(Object.keys(rules).flatMap((path) => segmentsOf(path).slice(0, 1))),
]

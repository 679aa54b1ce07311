import type { ResponseMapping } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'

/** A part of a success that both sides have: a record, the rows of a list, or the counts of a page. */
interface AnswerPart {
  /** The member of the legacy body that holds it; empty: it is the body. */
  readonly legacy: string
  /** The member of v1's envelope that holds it. */
  readonly v1: 'data' | 'items' | 'meta'
  /** The shape of the part, or of each item if it is a list. */
  readonly shape: Shape
  readonly isList: boolean
}

/** Returns the parts of a success. Empty if it has no body, or if the legacy service answers. */
export function answerParts(response: ResponseMapping): readonly AnswerPart[] {
  switch (response.kind) {
    case 'record':
      return [{ legacy: '', v1: 'data', shape: response.shape, isList: false }]
    case 'list':
    case 'whole-list':
      return [{ legacy: '', v1: 'items', shape: response.shape, isList: true }]
    case 'page': {
      const { rows, meta } = response
      return [
        { legacy: rows.at, v1: 'items', shape: rows.shape, isList: true },
        { legacy: meta.at, v1: 'meta', shape: meta.shape, isList: false },
      ]
    }
    case 'no-content':
    case 'pass-through':
      return []
  }
}

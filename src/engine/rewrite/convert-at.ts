import { type Conversion, convert } from '../../mapping/converter.ts'
import { type Piece, pieceOf } from '../../mapping/piece.ts'
import { textOf, typeAt } from '../json/json-walk.ts'

/** Converts the value in `json[start, end)`, which is valid JSON. Returns undefined if it stays unchanged. Never throws. */
export function convertAt(conversion: Conversion, json: Uint8Array, start: number, end: number): Piece | undefined {
  const type = typeAt(json, start)
  if (type === 'null' || type === 'object' || type === 'array') return undefined
  const converted = convert(conversion, textOf(json, start, end))
  return converted === undefined ? undefined : pieceOf(converted)
}

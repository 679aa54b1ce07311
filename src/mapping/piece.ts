/** A short byte sequence that is written often, ready to be copied in words. `view` covers the same bytes as `text`. */
export interface Piece {
  readonly text: Uint8Array
  readonly view: DataView
}

/**
 * Encodes a text as a piece.
 *
 * @example
 * const open = pieceOf('{"data":[')
 * out.write(open)
 */
export function pieceOf(written: string): Piece {
  const text = new TextEncoder().encode(written)
  return { text, view: new DataView(text.buffer, text.byteOffset, text.byteLength) }
}

/** A few bytes that are written often, ready to be copied four at a time; `view` is over `text`. */
export interface Piece {
  readonly text: Uint8Array
  readonly view: DataView
}

export function pieceOf(written: string): Piece {
  const text = new TextEncoder().encode(written)
  return { text, view: new DataView(text.buffer, text.byteOffset, text.byteLength) }
}

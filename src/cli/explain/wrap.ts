/** Breaks text into lines of at most `width` characters: between words, within paths behind dots, else anywhere. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\s)/)) {
    for (const piece of word.trimEnd().length > width ? broken(word, width) : [word]) {
      if (line !== '' && line.length + piece.trimEnd().length > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += piece
    }
  }
  return [...lines, line.trimEnd()]
}

/** A word in pieces that fit, each ending with a dot where there is one. */
function broken(word: string, width: number): readonly string[] {
  return word.split(/(?<=\.)/).flatMap((part) => part.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? [])
}

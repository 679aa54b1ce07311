/** Breaks text into lines of at most `width` characters: between words, within paths after dots, otherwise anywhere. */
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

/** Breaks a word into pieces that fit: after dots if it has any, otherwise anywhere. */
function broken(word: string, width: number): readonly string[] {
  return word.split(/(?<=\.)/).flatMap((part) => part.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? [])
}

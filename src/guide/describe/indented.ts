const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Indents a JSON text by 2, as `JSON.stringify` does, but keeps numbers as written: `125.00` stays `125.00`. */
export function indented(json: string): string {
  const tokens = [...json.matchAll(TOKEN)].map(([token]) => token)
  let depth = 0
  const line = (): string => `\n${'  '.repeat(depth)}`
  const write = (token: string, index: number): string => {
    const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '['
    switch (token) {
      case '{':
      case '[':
        depth++
        return tokens[index + 1] === '}' || tokens[index + 1] === ']' ? token : token + line()
      case '}':
      case ']':
        depth--
        return isEmpty ? token : line() + token
      case ',':
        return token + line()
      default:
        return token === ':' ? ': ' : token
    }
  }
  return tokens.map(write).join('')
}

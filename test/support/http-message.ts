/** A request or an answer as sent on the wire. All text is Latin-1, so that each character is a byte. */
export interface HttpMessage {
  /** The request line or the status line. */
  readonly line: string
  /** Names in lower case, in their order on the wire. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Reads the complete messages at the start of a text. `rest` is what follows them. */
export function messagesIn(text: string): { readonly messages: readonly HttpMessage[]; readonly rest: string } {
  const messages: HttpMessage[] = []
  let rest = text
  for (let next = firstMessage(rest); next !== undefined; next = firstMessage(rest)) {
    messages.push(next.message)
    rest = rest.slice(next.length)
  }
  return { messages, rest }
}

export const headerOf = ({ headers }: HttpMessage, name: string): string | undefined =>
  headers.find(([one]) => one === name)?.[1]

/** The status of an answer. */
export const statusOf = ({ line }: HttpMessage): number => Number(line.split(' ')[1])

function firstMessage(text: string): { readonly message: HttpMessage; readonly length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [line = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = lines.map((written): readonly [string, string] => {
    const colon = written.indexOf(':')
    return [written.slice(0, colon).toLowerCase(), written.slice(colon + 1).trim()]
  })
  const bodyAt = headEnd + 4
  const head = { line, headers, body: '' }
  if (headerOf(head, 'transfer-encoding') !== undefined) {
    const chunked = chunkedBody(text, bodyAt)
    return chunked && { message: { ...head, body: chunked.body }, length: chunked.end }
  }
  const end = bodyAt + Number(headerOf(head, 'content-length') ?? 0)
  return text.length < end ? undefined : { message: { ...head, body: text.slice(bodyAt, end) }, length: end }
}

/** RFC 9112 section 7.1, without extensions and trailers. */
function chunkedBody(text: string, start: number): { readonly body: string; readonly end: number } | undefined {
  let body = ''
  let at = start
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (Number.isNaN(size) || text.length < end) return undefined
    body += text.slice(lineEnd + 2, end - 2)
    at = end
    if (size === 0) return { body, end }
  }
}

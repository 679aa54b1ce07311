/**
 * Headers that apply to one connection, not to the message (RFC 9110 section 7.6.1; `Proxy-Connection` because proxies
 * have long sent it).
 */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * Returns the headers that a proxy passes on: all except hop-by-hop headers and those that `Connection` names. Names
 * are in lower case.
 */
export function endToEnd(headers: Headers): Record<string, string | string[]> {
  const named = new Set(
    [headers.connection ?? []]
      .flat()
      .flatMap((value) => value.split(','))
      .map((name) => name.trim().toLowerCase()),
  )
  const passed: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) passed[name] = value
  }
  return passed
}

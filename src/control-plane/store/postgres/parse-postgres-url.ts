/** The parts of a URL that it has, decoded. */
export interface UrlParts {
  /** As written, separated by commas: `host`, `host:port`, `[address]:port` or nothing. */
  readonly hosts: readonly { readonly host: string; readonly port: string | undefined }[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly parameters: ReadonlyMap<string, string>
}

const FORM = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/is
const HOST = /^(\[[0-9a-f:.]+\]|[^:]*)(?::(.*))?$/is

/** Whether a text is the URL of a PostgreSQL database, right or wrong. */
export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:/i.test(text)

/**
 * Splits a libpq connection URI into its parts (PostgreSQL's documentation, section "Connection URIs").
 * @returns a string that says what is wrong, without quoting the URI, if it cannot be used.
 */
export function parsePostgresUrl(url: string): UrlParts | string {
  const [, login, authority = '', path, query] = FORM.exec(url) ?? []
  if (!/^postgres(ql)?:\/\//i.test(url)) return 'must begin with postgres:// or postgresql://'
  // Otherwise half of a password would be taken for a host or a name, and shown.
  if (login === undefined ? url.includes('@') : url.indexOf('@') !== url.lastIndexOf('@')) {
    return 'has too many @ or /: in a user or password, write them as %40 and %2F'
  }
  try {
    const [user, ...password] = login?.split(':') ?? []
    return {
      hosts: authority.split(',').map(hostOf),
      user: decoded(user),
      password: password.length === 0 ? undefined : decoded(password.join(':')),
      database: decoded(path),
      parameters: parametersOf(query),
    }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return 'has a % without two hexadecimal digits after it, or is not UTF-8: write a % as %25'
  }
}

function hostOf(text: string): UrlParts['hosts'][number] {
  const [, host = text, port] = HOST.exec(text) ?? []
  return { host: decoded(host.replace(/^\[(.*)\]$/s, '$1')) ?? '', port: port === '' ? undefined : port }
}

function parametersOf(query: string | undefined): ReadonlyMap<string, string> {
  const pairs = query === undefined || query === '' ? [] : query.split('&')
  return new Map(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.join('='))]
    }),
  )
}

/** An empty part counts as none. */
const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text)

import type { PostgresSettings } from './postgres-settings.ts'
import type { Given, ReadFile } from './read-postgres-settings.ts'

/**
 * Returns the password for one of the hosts from a file in the format of `~/.pgpass`. The first matching line wins. A line is
 * `host:port:database:user:password`, where `*` matches anything, and `\` escapes a `:` or `\` in a value.
 */
export function passwordFrom(
  file: Given | undefined,
  { hosts, database, user }: Pick<PostgresSettings, 'hosts' | 'database' | 'user'>,
  readFile: ReadFile,
  problems: string[],
): string | undefined {
  if (file === undefined) return undefined
  let text: string
  try {
    text = readFile(file.value)
  } catch (error) {
    problems.push(`${file.at}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`)
    return undefined
  }
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue
    const [password, ...wanted] = fieldsOf(line).reverse()
    const fits = hosts.some(({ host, port }) => {
      // libpq uses this name for every Unix socket.
      const known = [user, database, `${port}`, host.startsWith('/') ? 'localhost' : host]
      return wanted.length === known.length && known.every((value, at) => wanted[at] === '*' || wanted[at] === value)
    })
    if (fits) return password
  }
  return undefined
}

/** The first four colons separate; the password may have more. */
function fieldsOf(line: string): string[] {
  const [, ...fields] =
    /^((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.*)$/.exec(line) ?? []
  return fields.map((field) => field.replace(/\\(.)/g, '$1'))
}

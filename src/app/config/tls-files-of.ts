import { type PemFile, readTlsFiles, type TlsFiles, TlsFilesError } from '../../upstream/tls-files.ts'

/** Returns the TLS files of one service. Adds to `problems` what is wrong with them. */
export function tlsFilesOf(
  service: 'V1' | 'LEGACY',
  set: Readonly<Record<string, string | undefined>>,
  problems: string[],
): TlsFiles | undefined {
  const file = (variable: string): PemFile | undefined => {
    const path = set[variable]
    return path === undefined ? undefined : { variable, path }
  }
  const names = [`${service}_CLIENT_CERT`, `${service}_CLIENT_KEY`] as const
  const [certificate, key, ca] = [file(names[0]), file(names[1]), file(`${service}_CA`)]
  if (key === undefined && certificate !== undefined) problems.push(`${names[1]} must be set when ${names[0]} is`)
  if (certificate === undefined && key !== undefined) problems.push(`${names[0]} must be set when ${names[1]} is`)
  const client = certificate && key && { certificate, key }
  if (client === undefined && ca === undefined) return undefined
  const files = { client, ca }
  try {
    readTlsFiles(files)
  } catch (error) {
    if (!(error instanceof TlsFilesError)) throw error
    problems.push(...error.problems)
  }
  return files
}

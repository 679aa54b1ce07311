import { createSecureContext } from 'node:tls'
import type { PostgresTls } from './postgres-settings.ts'
import type { Given, Parameter } from './read-postgres-settings.ts'

/** Returns a file's text. */
export type ReadFile = (path: string) => string

/** As in libpq: the authorities of the machine. */
const SYSTEM = 'system'
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

/** Reads the TLS settings and their files. Adds what is wrong with them to `problems`. Undefined if TLS is off. */
export function readTls(
  given: (name: Parameter) => Given | undefined,
  readFile: ReadFile,
  problems: string[],
): PostgresTls | undefined {
  const [sslmode, authority, certificate, secret] = [
    ...[given('sslmode'), given('sslrootcert'), given('sslcert'), given('sslkey')],
  ]
  const isSystem = authority?.value === SYSTEM
  const mode = MODES.find((name) => name === (sslmode?.value ?? (isSystem ? 'verify-full' : 'prefer')))
  if (mode === undefined) problems.push(`${sslmode?.at} must be one of ${MODES.join(', ')}`)
  if (mode === 'disable') return undefined
  // Anyone can get a certificate from a public authority.
  if (isSystem && mode !== 'verify-full') problems.push(`${sslmode?.at} must be verify-full when sslrootcert is system`)
  if (certificate !== undefined && secret === undefined)
    problems.push(`${certificate.at} needs a key: set sslkey or PGSSLKEY`)
  if (certificate === undefined && secret !== undefined) {
    problems.push(`${secret.at} needs a certificate: set sslcert or PGSSLCERT`)
  }
  const textOf = (file: Given | undefined): string | undefined => file && readPem(file, readFile, problems)
  const [ca, cert, key] = [textOf(isSystem ? undefined : authority), textOf(certificate), textOf(secret)]
  try {
    createSecureContext({ ca, cert, key })
  } catch {
    // Node's message names a function of OpenSSL, not the file.
    const files = [authority, certificate, secret].flatMap((file) => file?.at ?? [])
    problems.push(
      `${files.join(', ')}: certificate and key do not belong together, or are not PEM without a passphrase`,
    )
  }
  return { mode: mode === undefined || mode === 'allow' ? 'prefer' : mode, ca, cert, key }
}

function readPem({ value, at }: Given, readFile: ReadFile, problems: string[]): string | undefined {
  try {
    const text = readFile(value)
    if (text.includes('-----BEGIN ')) return text
    problems.push(`${at}: the file has no PEM (-----BEGIN …-----)`)
  } catch (error) {
    problems.push(`${at}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`)
  }
  return undefined
}

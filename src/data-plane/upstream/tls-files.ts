import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { getSystemErrorMessage } from 'node:util'

/** A file in PEM, and the variable that names it. */
export interface PemFile {
  readonly variable: string
  readonly path: string
}

/** The client certificate for TLS, and the authorities that the gateway trusts. */
export interface TlsFiles {
  /** The client certificate, followed by its intermediate certificates, and the key. */
  readonly client: { readonly certificate: PemFile; readonly key: PemFile } | undefined
  /** The trusted authorities. Undefined: those that Node trusts. */
  readonly ca: PemFile | undefined
}

/** Files cannot be used. Each problem names its variable and path; none shows a file's content. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the files. The returned function gives what they hold now, to be called for each new connection: it reads the files again
 * if they have changed. If the new files cannot be used, for instance because the key of a new certificate is still missing, the
 * previous context stays in effect.
 * @param onRefused called for each version that cannot be used.
 * @throws TlsFilesError if the files cannot be used at startup.
 */
export function watchTlsFiles(
  files: TlsFiles,
  onRefused: (problems: readonly string[]) => void = () => undefined,
): () => ReadTls {
  let currentVersion = versionOf(files)
  let current = readTlsFiles(files)
  return () => {
    const version = versionOf(files)
    if (version === currentVersion) return current
    currentVersion = version
    try {
      current = readTlsFiles(files)
    } catch (error) {
      if (!(error instanceof TlsFilesError)) throw error
      onRefused(error.problems)
    }
    return current
  }
}

/** What the files hold. */
export interface ReadTls {
  readonly context: SecureContext
  readonly cert: string | undefined
  readonly key: string | undefined
}

/** Reads the files and checks them. @throws TlsFilesError with all problems at once. */
export function readTlsFiles({ client, ca }: TlsFiles): ReadTls {
  const problems: string[] = []
  const read = (file: PemFile | undefined, check: (text: string) => string | undefined): string | undefined => {
    if (file === undefined) return undefined
    const { text, problem = check(text) } = textOf(file.path)
    if (problem === undefined) return text
    problems.push(`${file.variable}: ${file.path} ${problem}`)
    return undefined
  }
  const cert = read(client?.certificate, problemOfCertificates)
  const key = read(client?.key, problemOfKey)
  const authorities = read(ca, problemOfCertificates)
  if (client !== undefined && cert !== undefined && key !== undefined && !belongTogether(cert, key)) {
    const { certificate } = client
    const other = `${certificate.path} (${certificate.variable})`
    problems.push(`${client.key.variable}: ${client.key.path} does not match the certificate in ${other}`)
  }
  if (problems.length > 0) throw new TlsFilesError(problems)
  try {
    return { context: createSecureContext({ cert, key, ca: authorities }), cert, key }
  } catch (error) {
    const names = [client?.certificate, client?.key, ca].flatMap((file) => file?.variable ?? [])
    throw new TlsFilesError([`${names.join(', ')}: cannot be used for TLS (${codeOf(error)})`])
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs

function problemOfCertificates(text: string): string | undefined {
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) return 'contains no PEM certificate (-----BEGIN CERTIFICATE-----)'
  const at = certificates.findIndex((certificate) => !succeeds(() => new X509Certificate(certificate)))
  return at === -1 ? undefined : `contains an unreadable certificate: number ${at + 1}`
}

function problemOfKey(text: string): string | undefined {
  if (/^(-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED)/m.test(text))
    return 'is encrypted: give a key without a passphrase'
  return succeeds(() => createPrivateKey(text))
    ? undefined
    : 'contains no PEM private key (-----BEGIN PRIVATE KEY-----)'
}

/** Whether the key matches the certificate. In a chain, the first certificate is the client's own. */
const belongTogether = (certificate: string, key: string): boolean =>
  new X509Certificate(certificate.match(CERTIFICATE)?.[0] ?? '').checkPrivateKey(createPrivateKey(key))

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

function textOf(path: string): { readonly text: string; readonly problem?: string } {
  try {
    return { text: readFileSync(path, 'latin1') }
  } catch (error) {
    return { text: '', problem: `cannot be read: ${reasonOf(error)}` }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'errno' in error ? getSystemErrorMessage(Number(error.errno)) : codeOf(error)

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'

/** Identifies the version of the files. Also changes when a symbolic link points to another file. */
function versionOf({ client, ca }: TlsFiles): string {
  return [client?.certificate, client?.key, ca].map((file) => file && versionOfFile(file.path)).join(', ')
}

function versionOfFile(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return 'none'
  }
}

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { getSystemErrorMessage } from 'node:util'

/** A file in PEM, and the variable that names it. */
export interface PemFile {
  readonly variable: string
  readonly path: string
}

/** What the gateway shows a service over TLS, and who vouches for the service. */
export interface TlsFiles {
  /** The certificate, then those of the authorities between it and the one that the service knows; and its key. */
  readonly client: { readonly certificate: PemFile; readonly key: PemFile } | undefined
  /** In place of the authorities that Node trusts; undefined: those. */
  readonly ca: PemFile | undefined
}

/** Files that cannot be used; each problem names its variable and path, none shows what is in a file. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the files, and reads them again when they have changed: whoever opens a connection asks for what holds now. Files that
 * cannot be used, such as a certificate whose key is not there yet, are refused, and the previous ones stay in effect.
 * @param onRefused told of every version that is refused.
 * @throws TlsFilesError when they cannot be used at the start.
 */
export function watchTlsFiles(
  files: TlsFiles,
  onRefused: (problems: readonly string[]) => void = () => undefined,
): () => SecureContext {
  let seen = versionOf(files)
  let context = readTlsFiles(files)
  return () => {
    const version = versionOf(files)
    if (version === seen) return context
    seen = version
    try {
      context = readTlsFiles(files)
    } catch (error) {
      if (!(error instanceof TlsFilesError)) throw error
      onRefused(error.problems)
    }
    return context
  }
}

/** @throws TlsFilesError with every problem at once. */
export function readTlsFiles({ client, ca }: TlsFiles): SecureContext {
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
    problems.push(`${client.key.variable}: ${client.key.path} is not the key of the certificate in ${other}`)
  }
  if (problems.length > 0) throw new TlsFilesError(problems)
  try {
    return createSecureContext({ cert, key, ca: authorities })
  } catch (error) {
    const names = [client?.certificate, client?.key, ca].flatMap((file) => file?.variable ?? [])
    throw new TlsFilesError([`${names.join(', ')}: cannot be used for TLS (${codeOf(error)})`])
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs

function problemOfCertificates(text: string): string | undefined {
  const certificates = text.match(CERTIFICATE) ?? []
  if (certificates.length === 0) return 'holds no certificate in PEM (-----BEGIN CERTIFICATE-----)'
  const at = certificates.findIndex((certificate) => !succeeds(() => new X509Certificate(certificate)))
  return at === -1 ? undefined : `holds a certificate that cannot be read, number ${at + 1}`
}

function problemOfKey(text: string): string | undefined {
  if (/^(-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED)/m.test(text))
    return 'is encrypted: a key without passphrase is needed'
  return succeeds(() => createPrivateKey(text))
    ? undefined
    : 'holds no private key in PEM (-----BEGIN PRIVATE KEY-----)'
}

/** Of a chain the first certificate is the client's own. */
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
  error instanceof Error && 'code' in error ? String(error.code) : 'no reason'

/** What tells two versions of the files apart, also where a link leads elsewhere. */
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

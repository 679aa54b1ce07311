import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './start-program.ts'

/** Files in PEM. */
export interface Certificates {
  /** The authority that issued the others. */
  readonly ca: string
  /** The certificate of a server at 127.0.0.1 and `localhost`. */
  readonly server: KeyPair
  readonly client: KeyPair
}

export interface KeyPair {
  readonly certificate: string
  readonly key: string
  /** Certificate and key in one file, as HAProxy needs it. */
  readonly both: string
}

/**
 * Makes an authority and certificates that it issued, with openssl. They are removed after the file's tests.
 * @param whose prefix of the names in the certificates, to distinguish several authorities.
 */
export function makeCertificates(whose = ''): Certificates {
  const named = (name: string): string => `/CN=${whose === '' ? name : `${whose}-${name}`}`
  const folder = makeFolder()
  const file = (name: string): string => join(folder, name)
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { stdio: 'ignore' })
  }
  const ca = file('ca.pem')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...curve, '-days', '2', '-subj', named('ca'), '-keyout', file('ca.key'), '-out', ca)
  const pair = (name: string, extensions: string): KeyPair => {
    const [key, request, certificate, both] = [`${name}.key`, `${name}.csr`, `${name}.pem`, `${name}-both.pem`].map(
      file,
    )
    writeFileSync(file(`${name}.ext`), extensions)
    openssl('req', ...curve, '-subj', named(name), '-keyout', `${key}`, '-out', `${request}`)
    const signed = ['-req', '-in', `${request}`, '-CA', ca, '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2']
    openssl('x509', ...signed, '-extfile', file(`${name}.ext`), '-out', `${certificate}`)
    writeFileSync(`${both}`, readFileSync(`${certificate}`, 'utf8') + readFileSync(`${key}`, 'utf8'))
    return { certificate: `${certificate}`, key: `${key}`, both: `${both}` }
  }
  return {
    ca,
    server: pair('server', 'subjectAltName=IP:127.0.0.1,DNS:localhost\n'),
    client: pair('client', 'extendedKeyUsage=clientAuth\n'),
  }
}

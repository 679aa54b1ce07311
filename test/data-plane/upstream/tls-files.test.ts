import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../src/app/config.ts'
import { watchTlsFiles } from '../../../src/data-plane/upstream/tls-files.ts'
import { type Certificates, makeCertificates } from '../../real/certificates.ts'
import { isInstalled, makeFolder } from '../../real/start-program.ts'

const isSkipped = !isInstalled('openssl')
const made = isSkipped ? undefined : makeCertificates()

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe.skipIf(isSkipped)('files of certificates and keys (with openssl)', () => {
  const { ca, client, server } = made as Certificates
  const folder = isSkipped
    ? ''
    : makeFolder({ 'not.pem': 'hush', 'half.pem': readFileSync(client.key, 'utf8').slice(0, 90) })
  const file = (name: string): string => join(folder, name)
  const pair = { V1_CLIENT_CERT: client.certificate, V1_CLIENT_KEY: client.key }

  test.each(['V1', 'LEGACY'])('are read at startup: %s', (name) => {
    const env = { [`${name}_CLIENT_CERT`]: client.certificate, [`${name}_CLIENT_KEY`]: client.key, [`${name}_CA`]: ca }
    const { v1, legacy } = readConfig(env).connecting
    const [its, others] = name === 'V1' ? [v1, legacy] : [legacy, v1]
    expect(its?.client?.key).toEqual({ variable: `${name}_CLIENT_KEY`, path: client.key })
    expect(others).toBeUndefined()
  })

  test('may hold certificate and key in one file, and a chain', () => {
    const chain = file('chain.pem')
    writeFileSync(chain, readFileSync(client.certificate, 'utf8') + readFileSync(ca, 'utf8'))
    expect(problemsOf({ V1_CLIENT_CERT: client.both, V1_CLIENT_KEY: client.both })).toEqual([])
    expect(problemsOf({ V1_CLIENT_CERT: chain, V1_CLIENT_KEY: client.key, V1_CA: chain })).toEqual([])
  })

  test.each<readonly [string, Record<string, string>, string]>([
    [
      'is missing',
      { ...pair, V1_CLIENT_CERT: file('none') },
      `V1_CLIENT_CERT: ${file('none')} cannot be read: no such file or directory`,
    ],
    ['is a folder', { LEGACY_CA: folder }, `LEGACY_CA: ${folder} cannot be read: illegal operation on a directory`],
    [
      'is no PEM',
      { V1_CA: file('not.pem') },
      `V1_CA: ${file('not.pem')} contains no PEM certificate (-----BEGIN CERTIFICATE-----)`,
    ],
    [
      'is a key in place of a certificate',
      { ...pair, V1_CLIENT_CERT: client.key },
      `V1_CLIENT_CERT: ${client.key} contains no PEM certificate (-----BEGIN CERTIFICATE-----)`,
    ],
    [
      'is half a key',
      { ...pair, V1_CLIENT_KEY: file('half.pem') },
      `V1_CLIENT_KEY: ${file('half.pem')} contains no PEM private key (-----BEGIN PRIVATE KEY-----)`,
    ],
    [
      'is the key of another certificate',
      { ...pair, V1_CLIENT_KEY: server.key },
      `V1_CLIENT_KEY: ${server.key} does not match the certificate in ${client.certificate} (V1_CLIENT_CERT)`,
    ],
    [
      'has no key beside it',
      { LEGACY_CLIENT_CERT: client.certificate },
      'LEGACY_CLIENT_KEY must be set when LEGACY_CLIENT_CERT is',
    ],
    [
      'has no certificate beside it',
      { LEGACY_CLIENT_KEY: client.key },
      'LEGACY_CLIENT_CERT must be set when LEGACY_CLIENT_KEY is',
    ],
  ])('prevent the start when one %s: the error names variable and path, and no content', (_, env, problem) => {
    expect(problemsOf(env)).toEqual([problem])
  })

  test('prevent the start when a certificate in a chain is broken, and the error gives its number', () => {
    const broken = file('broken.pem')
    writeFileSync(broken, `${readFileSync(ca, 'utf8')}-----BEGIN CERTIFICATE-----\nhush\n-----END CERTIFICATE-----\n`)
    expect(problemsOf({ V1_CA: broken })).toEqual([`V1_CA: ${broken} contains an unreadable certificate: number 2`])
  })

  test('prevent the start when a key needs a passphrase', () => {
    const encrypted = file('encrypted.pem')
    writeFileSync(encrypted, '-----BEGIN ENCRYPTED PRIVATE KEY-----\nhush\n-----END ENCRYPTED PRIVATE KEY-----\n')
    expect(problemsOf({ ...pair, V1_CLIENT_KEY: encrypted })).toEqual([
      `V1_CLIENT_KEY: ${encrypted} is encrypted: give a key without a passphrase`,
    ])
  })

  test('are all reported at once, along with all other mistakes', () => {
    const problems = problemsOf({
      PORT: 'x',
      V1_CLIENT_CERT: file('a'),
      V1_CLIENT_KEY: file('b'),
      LEGACY_CA: file('c'),
    })
    expect(problems.map((problem) => problem.split(/[: ]/)[0])).toEqual([
      ...['PORT', 'V1_CLIENT_CERT', 'V1_CLIENT_KEY', 'LEGACY_CA'],
    ])
  })

  test('are read again once both have been replaced; until then the previous ones stay in effect', () => {
    const [certificate, key] = ['client.pem', 'client.key'].map((name) => ({ variable: name, path: file(name) }))
    if (certificate === undefined || key === undefined) throw new Error()
    copyFileSync(client.certificate, certificate.path)
    copyFileSync(client.key, key.path)
    const refused: string[] = []
    const current = watchTlsFiles({ client: { certificate, key }, ca: undefined }, (problems) =>
      refused.push(...problems),
    )
    const before = current()
    expect(current()).toBe(before)
    // As renewal tools do it: one after the other, each by renaming a new file.
    copyFileSync(server.certificate, file('new'))
    renameSync(file('new'), certificate.path)
    expect(current()).toBe(before)
    expect(current()).toBe(before)
    expect(refused).toEqual([
      `client.key: ${key.path} does not match the certificate in ${certificate.path} (client.pem)`,
    ])
    copyFileSync(server.key, key.path)
    const after = current()
    expect(after).not.toBe(before)
    expect(current()).toBe(after)
    expect(refused).toHaveLength(1)
  })

  test('are read again when the authorities alone are renewed, without a client certificate', () => {
    const path = file('renewed-ca.pem')
    copyFileSync(ca, path)
    const current = watchTlsFiles({ client: undefined, ca: { variable: 'V1_CA', path } })
    const before = current()
    expect(current()).toBe(before)
    copyFileSync(server.certificate, file('new'))
    renameSync(file('new'), path)
    expect(current()).not.toBe(before)
  })
})

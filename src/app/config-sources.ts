import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { isPostgresUrl } from '../control-plane/store/postgres/parse-postgres-url.ts'
import type { PostgresSettings } from '../control-plane/store/postgres/postgres-settings.ts'
import { PostgresSettingsError } from '../control-plane/store/postgres/postgres-settings.ts'
import { readPostgresSettings } from '../control-plane/store/postgres/read-postgres-settings.ts'
import { type PemFile, readTlsFiles, type TlsFiles, TlsFilesError } from '../data-plane/upstream/tls-files.ts'

/** The variables of the TLS files with which the gateway calls a service. */
export const tlsVariablesOf = (service: 'V1' | 'LEGACY' | 'V1_COPY') =>
  [`${service}_CLIENT_CERT`, `${service}_CLIENT_KEY`, `${service}_CA`] as const

/**
 * Returns the TLS files that these variables name: a certificate, its key, and trusted authorities. Adds to `problems` what is wrong with
 * them.
 */
export function tlsFilesOf(
  [ofCertificate, ofKey, ofAuthorities = '']: readonly [certificate: string, key: string, authorities?: string],
  set: Readonly<Record<string, string | undefined>>,
  problems: string[],
): TlsFiles | undefined {
  const file = (variable: string): PemFile | undefined => {
    const path = set[variable]
    return path === undefined ? undefined : { variable, path }
  }
  const [certificate, key, ca] = [file(ofCertificate), file(ofKey), file(ofAuthorities)]
  if (key === undefined && certificate !== undefined) problems.push(`${ofKey} must be set when ${ofCertificate} is`)
  if (certificate === undefined && key !== undefined) problems.push(`${ofCertificate} must be set when ${ofKey} is`)
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

/** Returns how to connect to PostgreSQL, if `STATE_DB` is its URL. Adds to `problems` what is wrong with the settings. */
export function postgresOf(
  stateDb: string,
  schema: string,
  set: Readonly<Record<string, string | undefined>>,
  problems: string[],
): PostgresSettings | undefined {
  if (!isPostgresUrl(stateDb)) return undefined
  try {
    return readPostgresSettings(stateDb, set, schema, (path) => readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof PostgresSettingsError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}

/**
 * The share of what the process may use. The rest is for code, cached lists, connections and garbage that is not
 * collected yet.
 */
const SHARE = 0.6

/**
 * Returns how many bytes bodies and answers may take if MEMORY_MB is not set: a share of the control group's limit (v1
 * or v2), or else of the machine's memory, but no more than the heap may grow to (`--max-old-space-size`), so that an
 * operator can keep a process small.
 */
export function fittingMemory(
  limits: { readonly constrained: number; readonly machine: number; readonly heap: number } = {
    constrained: process.constrainedMemory(),
    machine: totalmem(),
    heap: getHeapStatistics().heap_size_limit,
  },
): number {
  // Without a limit it is 0, or more than any machine has.
  const mayUse = limits.constrained > 0 ? Math.min(limits.constrained, limits.machine) : limits.machine
  return Math.floor(Math.min(mayUse * SHARE, limits.heap))
}

/** Returns a name for a replica without a configured one: its host, and a random part, since a host may run several. */
export const someReplicaId = (): string =>
  `${hostname()
    .replace(/[^\w.-]/g, '-')
    .slice(0, 100)}-${randomBytes(4).toString('hex')}`

import { request } from 'undici'
import { operations } from '../../../mappings/index.ts'
import { storedDossier } from '../../app/build-dossier.ts'
import type { DossierConfig } from '../../app/command-config.ts'
import { rolloutParser } from '../../app/rollout-parser.ts'
import type { Dossier } from '../../compare/dossier/dossier.ts'
import { watchRollout } from '../../compare/rollout/rollout-file.ts'
import { DossierError } from './dossier-error.ts'

const TIMEOUT_MS = 30_000
const IN_MEMORY = ':memory:'

/**
 * Asks the gateway for the dossier, since it alone knows who calls. If it is not told where, and none answers where it should
 * listen, reads the stored results.
 * @throws DossierError, or StateError or RolloutError of the files.
 */
export async function readDossier(
  config: DossierConfig,
  given: { readonly admin: string | undefined; readonly token: string | undefined },
): Promise<Dossier> {
  const { adminPort, adminToken, stateDb } = config
  const url = adminUrl(given.admin, config)
  const canRead = given.admin === undefined && stateDb !== IN_MEMORY
  if (canRead && adminPort === 0) return fromStore(config)
  const answer = await ask(url, given.token ?? adminToken).catch((error: NodeJS.ErrnoException) => {
    if (canRead && error.code === 'ECONNREFUSED') return undefined
    const advice =
      given.admin === undefined ? 'give its admin port with --admin URL, or set STATE_DB' : 'is it running?'
    throw new DossierError(`no gateway answers at ${url.origin} (${error.code ?? error.message}): ${advice}`)
  })
  if (answer === undefined) {
    console.error(`No gateway answers at ${url.origin}: this is from STATE_DB alone, which does not say who calls.`)
    return fromStore(config)
  }
  if (answer.status === 401) {
    throw new DossierError(`the gateway at ${url.origin} refuses the token: set ADMIN_TOKEN, or give --token`)
  }
  const dossier = parsed(answer.text) as Dossier | undefined
  if (answer.status === 200 && dossier?.version === 1) return dossier
  throw new DossierError(`${url.href} gives no dossier (${answer.status}): is it the admin port of this gateway?`)
}

function fromStore({ stateDb, postgres, rolloutFile }: DossierConfig): Promise<Dossier> {
  const file = watchRollout({ path: rolloutFile, parse: rolloutParser(operations) })
  file.close()
  return storedDossier({ stateDb, postgres }, operations, file.current().rollout)
}

function adminUrl(given: string | undefined, { adminHost, adminPort }: DossierConfig): URL {
  const host = ['0.0.0.0', '::'].includes(adminHost) ? '127.0.0.1' : adminHost
  const base = given ?? `http://${host.includes(':') ? `[${host}]` : host}:${adminPort}`
  const url = URL.canParse(base) ? new URL(base) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new DossierError(
      '--admin must be an http or https URL without credentials, for instance http://127.0.0.1:8081',
    )
  }
  return new URL('dossier', url.href.endsWith('/') ? url.href : `${url.href}/`)
}

async function ask(url: URL, token: string | undefined): Promise<{ readonly status: number; readonly text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { statusCode, body } = await request(url, { headers, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
  return { status: statusCode, text: await body.text() }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

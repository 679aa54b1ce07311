import { operations } from '../../../mappings/index.ts'
import { storedDossier } from '../../app/build-dossier.ts'
import type { DossierConfig } from '../../app/command-config.ts'
import { rolloutParser } from '../../app/rollout-parser.ts'
import type { Dossier } from '../../compare/dossier/dossier.ts'
import { watchRollout } from '../../compare/rollout/rollout-file.ts'
import { AdminPortError, type AdminPortOptions, adminUrl, askAdmin } from '../admin-port.ts'
import { DossierError } from './dossier-error.ts'

const IN_MEMORY = ':memory:'

/**
 * Asks the gateway for the dossier, which has what is not stored yet. Reads the stored results if --admin is not given and no
 * gateway answers where one should listen.
 * @throws DossierError, AdminPortError, or StateError or RolloutError of the files.
 */
export async function readDossier(config: DossierConfig, given: AdminPortOptions): Promise<Dossier> {
  const { adminPort, adminToken, stateDb } = config
  const url = adminUrl('dossier', given.admin, config)
  const canRead = given.admin === undefined && stateDb !== IN_MEMORY
  if (canRead && adminPort === 0) return fromStore(config)
  const answer = await askAdmin(url, given.token ?? adminToken).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof AdminPortError) throw error
    if (canRead && error.code === 'ECONNREFUSED') return undefined
    const advice =
      given.admin === undefined ? 'give its admin port with --admin URL, or set STATE_DB' : 'is it running?'
    throw new DossierError(`no gateway answers at ${url.origin} (${error.code ?? error.message}): ${advice}`)
  })
  if (answer === undefined) {
    console.error(
      `No gateway answers at ${url.origin}: the dossier comes from STATE_DB alone, without what is not stored yet.`,
    )
    return fromStore(config)
  }
  const dossier = parsed(answer.text) as Dossier | undefined
  if (answer.status === 200 && dossier?.version === 1) return dossier
  throw new DossierError(
    `${url.href} does not serve a dossier (${answer.status}): is it the admin port of this gateway?`,
  )
}

function fromStore({ stateDb, postgres, rolloutFile, serve }: DossierConfig): Promise<Dossier> {
  const there = { hasLegacy: true, isKept: true, serve }
  const file = watchRollout({ path: rolloutFile, parse: rolloutParser(operations, there) })
  file.close()
  return storedDossier({ stateDb, postgres }, operations, file.current().rollout)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { storedDossier } from '../app/build-dossier.ts'
import { type DossierConfig, readDossierConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { readMappings } from '../app/read-mappings.ts'
import { rolloutParser } from '../app/rollout-parser.ts'
import { reasonOf } from '../common/reason-of.ts'
import type { Dossier } from '../control-plane/evidence/dossier/dossier.ts'
import { dossierHtml } from '../control-plane/evidence/dossier/dossier-html.ts'
import { overallInWords } from '../control-plane/evidence/dossier/dossier-words.ts'
import {
  DossierKeyError,
  DossierRefused,
  signedDossier,
  signingKey,
  thumbprint,
  UNSIGNED,
  unsignedDossier,
  verifiedDossier,
  verifyingKey,
} from '../control-plane/evidence/dossier/sign-dossier.ts'
import { RolloutError } from '../control-plane/rollout/rollout.ts'
import { watchRollout } from '../control-plane/rollout/rollout-file.ts'
import { StateError } from '../control-plane/store/state-error.ts'
import { AdminPortError, type AdminPortOptions, askAdmin, NoAnswer, parsed } from './admin-port.ts'
import { orSayWhy, writeWhole } from './printing.ts'

interface DossierOptions extends AdminPortOptions {
  readonly out: string
}

const REFUSED = 1
const COULD_NOT_RUN = 2
const IN_MEMORY = ':memory:'

/** `legacy-gateway dossier`: writes the dossier as a page and as JSON, and returns the exit code. */
export const makeDossier = ({ out, ...options }: DossierOptions): Promise<number> =>
  orSayWhy(COULD_NOT_RUN, [DossierError, AdminPortError, ConfigError, StateError], async () => {
    const config = readDossierConfig()
    const { dossierKey } = config
    const key = dossierKey === undefined ? undefined : await keyOf('DOSSIER_KEY', dossierKey, signingKey)
    const dossier = await readDossier(config, options)
    const json = `${out.replace(/\.html?$/i, '')}.json`
    const text = key === undefined ? unsignedDossier(dossier) : await signedDossier(dossier, key)
    const file = { name: basename(json), text, key: key && thumbprint(key) }
    await write(json, text)
    await write(out, dossierHtml(dossier, file))
    if (key === undefined) console.error(`Not signed: ${UNSIGNED}`)
    console.log(`All together: ${dossier.overall.verdict}. ${overallInWords(dossier.overall)}`)
    console.log(`${out}\n${json}`)
    return 0
  })

const write = (file: string, text: string): Promise<void> =>
  writeWhole(file, text).catch((error: unknown) => {
    throw new DossierError(`--out: ${file}: ${reasonOf(error)}`, { cause: error })
  })

/**
 * Asks the gateway for the dossier, which has what is not stored yet. Reads the stored results if --admin is not given and no
 * gateway answers where one should listen.
 * @throws DossierError, AdminPortError, or StateError of the file.
 */
async function readDossier(config: DossierConfig, options: AdminPortOptions): Promise<Dossier> {
  const canRead = options.admin === undefined && config.stateDb !== IN_MEMORY
  if (canRead && config.adminPort === 0) return fromStore(config)
  const advice =
    options.admin === undefined ? 'give its admin port with --admin URL, or set STATE_DB' : 'is it running?'
  const answer = await askAdmin('dossier', options, config, { advice }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer && error.isRefused && canRead)) throw error
    console.error(
      `No gateway answers at ${error.origin}: the dossier comes from STATE_DB alone, without what is not stored yet.`,
    )
  })
  if (answer === undefined) return fromStore(config)
  const { url, status, text } = answer
  const dossier = parsed(text) as Partial<Dossier> | undefined
  if (status === 200 && dossier?.version === 1) {
    if (dossier.risks !== undefined) return dossier as Dossier
    throw new DossierError(
      `${url.href} is served by gateway ${dossier.gateway}, which is older than this command: use the command of that version`,
    )
  }
  throw new DossierError(`${url.href} does not serve a dossier (${status}): is it the admin port of this gateway?`)
}

async function fromStore({ stateDb, postgres, rolloutFile, mappingFile, serve }: DossierConfig): Promise<Dossier> {
  const operations = readMappings(mappingFile)
  const there = { hasLegacy: true, hasCopy: true, isKept: true, canSign: true, serve }
  const file = rolloutIn(() => watchRollout({ path: rolloutFile, parse: rolloutParser(operations, there) }))
  file.close()
  return storedDossier({ stateDb, postgres }, operations, file.current().rollout)
}

/** @throws DossierError that names the variable. */
function rolloutIn<File>(read: () => File): File {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RolloutError)) throw error
    throw new DossierError(error.message.replaceAll(/^/gm, 'ROLLOUT_FILE: '), { cause: error })
  }
}

/** `legacy-gateway dossier verify FILE`: says whether a dossier is unchanged since it was signed, and returns the exit code. */
export const verifyDossier = (file: string, { key: keyFile }: { readonly key: string }): Promise<number> =>
  orSayWhy(COULD_NOT_RUN, [DossierError], async () => {
    const key = await keyOf('--key', keyFile, verifyingKey)
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new DossierError(`${file}: ${reasonOf(error)}`, { cause: error })
    })
    try {
      const { madeAt, overall } = await verifiedDossier(textOf(bytes), key)
      console.log(`${file} is unchanged since it was signed with the key ${thumbprint(key)}.`)
      console.log(`Made at ${madeAt}. All together: ${overall.verdict}.`)
      return 0
    } catch (error) {
      if (!(error instanceof DossierRefused)) throw error
      console.error(`${file} is refused: ${error.message}`)
      return REFUSED
    }
  })

/** Decodes strictly, so that no byte is replaced unnoticed. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new DossierRefused('it is not UTF-8 text', { cause: error })
  }
}

/** A dossier that cannot be made or checked, for a reason that an operator can fix. */
class DossierError extends Error {
  override readonly name = 'DossierError'
}

/**
 * Reads a key.
 * @param from the option or variable that names the file.
 * @throws DossierError
 */
async function keyOf(from: string, path: string, read: (pem: string) => KeyObject): Promise<KeyObject> {
  const pem = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new DossierError(`${from}: ${path}: ${reasonOf(error)}`, { cause: error })
  })
  try {
    return read(pem)
  } catch (error) {
    if (!(error instanceof DossierKeyError)) throw error
    throw new DossierError(`${from}: ${path}: ${error.message}`, { cause: error })
  }
}

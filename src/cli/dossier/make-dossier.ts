import { basename } from 'node:path'
import { readDossierConfig } from '../../app/command-config.ts'
import { ConfigError } from '../../app/config/config-error.ts'
import type { Dossier } from '../../compare/dossier/dossier.ts'
import { dossierHtml } from '../../compare/dossier/dossier-html.ts'
import { signingKey, thumbprint } from '../../compare/dossier/dossier-keys.ts'
import { overallInWords } from '../../compare/dossier/dossier-words.ts'
import { signedDossier, UNSIGNED, unsignedDossier } from '../../compare/dossier/sign-dossier.ts'
import { RolloutError } from '../../compare/rollout/rollout.ts'
import { reasonOf } from '../../recording/recorded-exchange.ts'
import { StateError } from '../../state/state-error.ts'
import { AdminPortError } from '../admin-port.ts'
import { writeWhole } from '../write-whole.ts'
import { DossierError, keyOf } from './dossier-error.ts'
import { readDossier } from './read-dossier.ts'

/** The options as given on the command line. */
export interface DossierOptions {
  readonly out: string
  readonly admin?: string
  readonly token?: string
}

const COULD_NOT_RUN = 2
const EXPECTED = [DossierError, AdminPortError, ConfigError, StateError, RolloutError]

/** Writes the dossier as a page and as JSON, and returns the exit code. */
export async function makeDossier(options: DossierOptions): Promise<number> {
  try {
    await writeDossier(options)
    return 0
  } catch (error) {
    const isExpected = EXPECTED.some((kind) => error instanceof kind)
    console.error(isExpected ? (error as Error).message : error)
    return COULD_NOT_RUN
  }
}

async function writeDossier({ out, admin, token }: DossierOptions): Promise<void> {
  const config = readDossierConfig()
  const { dossierKey } = config
  const key = dossierKey === undefined ? undefined : await keyOf('DOSSIER_KEY', dossierKey, signingKey)
  const dossier: Dossier = await readDossier(config, { admin, token })
  const json = `${out.replace(/\.html?$/i, '')}.json`
  const text = key === undefined ? unsignedDossier(dossier) : await signedDossier(dossier, key)
  const file = { name: basename(json), text, key: key && thumbprint(key) }
  await write(json, text)
  await write(out, dossierHtml(dossier, file))
  if (key === undefined) console.error(`Not signed: ${UNSIGNED}`)
  console.log(`All together: ${dossier.overall.verdict}. ${overallInWords(dossier.overall)}`)
  console.log(`${out}\n${json}`)
}

const write = (file: string, text: string): Promise<void> =>
  writeWhole(file, text).catch((error: unknown) => {
    throw new DossierError(`--out: ${file}: ${reasonOf(error)}`, { cause: error })
  })

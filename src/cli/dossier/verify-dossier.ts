import { readFile } from 'node:fs/promises'
import { thumbprint, verifyingKey } from '../../compare/dossier/dossier-keys.ts'
import { DossierRefused, verifiedDossier } from '../../compare/dossier/sign-dossier.ts'
import { reasonOf } from '../../recording/recorded-exchange.ts'
import { DossierError, keyOf } from './dossier-error.ts'

const REFUSED = 1
const COULD_NOT_READ = 2

/** Says whether a dossier is unchanged since it was signed, and returns the exit code. */
export async function verifyDossier(file: string, keyFile: string): Promise<number> {
  try {
    const key = await keyOf('--key', keyFile, verifyingKey)
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new DossierError(`${file}: ${reasonOf(error)}`, { cause: error })
    })
    const { madeAt, overall } = await verifiedDossier(textOf(bytes), key)
    console.log(`${file} is unchanged since it was signed with the key ${thumbprint(key)}.`)
    console.log(`Made at ${madeAt}. All together: ${overall.verdict}.`)
    return 0
  } catch (error) {
    if (!(error instanceof DossierError || error instanceof DossierRefused)) throw error
    console.error(error instanceof DossierRefused ? `${file} is refused: ${error.message}` : error.message)
    return error instanceof DossierRefused ? REFUSED : COULD_NOT_READ
  }
}

/** Decodes strictly, so that no byte is replaced unnoticed. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new DossierRefused('it is not UTF-8 text', { cause: error })
  }
}

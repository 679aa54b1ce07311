import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DossierKeyError } from '../../compare/dossier/dossier-keys.ts'
import { reasonOf } from '../../recording/recorded-exchange.ts'

/** A dossier that cannot be made or checked, for a reason that an operator can fix. */
export class DossierError extends Error {
  override readonly name = 'DossierError'
}

/**
 * Reads a key.
 * @param from the option or variable that names the file.
 * @throws DossierError
 */
export async function keyOf(from: string, path: string, read: (pem: string) => KeyObject): Promise<KeyObject> {
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

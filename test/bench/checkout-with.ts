import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A copy of this checkout in which a file is different. */
export interface ChangedCheckout {
  readonly folder: string
  remove(): void
}

/**
 * Copies this checkout, with one file changed, so that a gateway process can run it.
 * @param change returns the file's new text. @throws if it changes nothing.
 */
export function checkoutWith(file: string, change: (text: string) => string): ChangedCheckout {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-with-'))
  for (const part of ['src', 'mappings', 'docs', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const before = readFileSync(join(root, file), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`${file} has nothing to change`)
  writeFileSync(join(folder, file), after)
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

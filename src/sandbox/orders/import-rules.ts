import type { DatabaseSync } from 'node:sqlite'
import { isImportNameUsed } from '../store/single-point-imports.ts'
import { unless } from '../validation/field-rules.ts'
import type { Rules } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'

/** The name of an import must not be in use (docs/contract.md 5.8). */
export function importRules(db: DatabaseSync, organizationId: number): Rules<{ name: string }> {
  return ({ name }) =>
    unless(name === undefined || !isImportNameUsed(db, organizationId, name), 'name', messages.alreadyUsed)
}

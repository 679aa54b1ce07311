import { CREDENTIAL_NAMES, PERSONAL_NAMES } from '../../../exchange/redact.ts'
import { segmentsOf } from '../diff/path.ts'

const NAMES: ReadonlySet<string> = new Set([...PERSONAL_NAMES, ...CREDENTIAL_NAMES])

/** Whether a member's values are personal data or secrets. */
export const isPersonal = (name: string): boolean => NAMES.has(name)

/** Whether a member of a path is personal, so that everything in it is. */
export const isPersonalPath = (path: string): boolean =>
  segmentsOf(path).some((name) => name !== null && isPersonal(name))

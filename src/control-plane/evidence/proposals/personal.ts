import { CREDENTIAL_NAMES, PERSONAL_NAMES } from '../../../exchange/redact.ts'
import { isObject, type JsonObject, type JsonValue } from '../diff/json-value.ts'
import { segmentsOf } from '../diff/path.ts'

const NAMES: ReadonlySet<string> = new Set([...PERSONAL_NAMES, ...CREDENTIAL_NAMES])

/** Whether a member's values are personal data or secrets. */
export const isPersonal = (name: string): boolean => NAMES.has(name)

/** Whether a member of a path is personal, so that everything in it is. */
export const isPersonalPath = (path: string): boolean =>
  segmentsOf(path).some((name) => name !== null && isPersonal(name))

/** Whether a value holds a personal member, at any depth. */
export function holdsPersonal(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsPersonal)
  return isObject(value) && Object.keys(value).some((name) => isPersonal(name) || holdsPersonal(value[name] ?? null))
}

/** Returns an object without its personal members, and without objects and lists. */
export const scalarsOf = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).filter(([name, inner]) => !isPersonal(name) && !Array.isArray(inner) && !isObject(inner)),
  )

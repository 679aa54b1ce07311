import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The programs of the gateway and its mappings, as paths from the project's root. */
export const programs: readonly string[] = globSync(['src/**/*.ts', 'mappings/**/*.ts'])
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

const IMPORT =
  /(\b(?:import|export)\s+type\s+(?:\{[^}]*\}|\*\s+as\s+\w+|\w+)\s+)?(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g

/** An import within the project. */
export interface Import {
  /** From the project's root. */
  readonly path: string
  /** Whether only types are imported, which leaves nothing to import when the program runs. */
  readonly isType: boolean
}

/** Folders of rooms. */
const HOUSES = ['src/data-plane', 'src/control-plane', 'src/recordings']

/** The room of a file: its folder in `src` or in a folder of rooms, else the first part of its path. */
export function roomOf(file: string): string {
  const parts = file.split('/')
  const folder = parts.slice(0, 2).join('/')
  if (HOUSES.includes(folder) && parts.length > 3) return parts.slice(0, 3).join('/')
  return parts[0] === 'src' ? folder : (parts[0] ?? '')
}

/** The imports of a file within the project. */
export const importsOf = (file: string): readonly Import[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .filter(([, , specifier = '']) => specifier.startsWith('.'))
    .map(([, type, specifier = '']) => ({
      path: normalize(join(dirname(file), specifier)).replaceAll('\\', '/'),
      isType: type !== undefined,
    }))

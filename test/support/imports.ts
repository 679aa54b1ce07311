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

/** The room of a file: its folder in `src`, else the first part of its path. */
export const roomOf = (file: string): string =>
  file.startsWith('src/') ? file.split('/').slice(0, 2).join('/') : (file.split('/')[0] ?? '')

/** The imports of a file within the project. */
export const importsOf = (file: string): readonly Import[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .filter(([, , specifier = '']) => specifier.startsWith('.'))
    .map(([, type, specifier = '']) => ({
      path: normalize(join(dirname(file), specifier)).replaceAll('\\', '/'),
      isType: type !== undefined,
    }))

/** The other rooms that each room imports from when it runs. */
export function roomImports(): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const file of programs) {
    const room = roomOf(file)
    const from = rooms.get(room) ?? new Set()
    rooms.set(room, from)
    for (const { path, isType } of importsOf(file)) if (!isType && roomOf(path) !== room) from.add(roomOf(path))
  }
  return rooms
}

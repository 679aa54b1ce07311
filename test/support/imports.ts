import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The programs of the gateway and its mappings, as paths from the project's root. */
export const programs: readonly string[] = globSync(['src/**/*.ts', 'mappings/**/*.ts'])
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g

/** The room of a file: its folder in `src`, else the first part of its path. */
export const roomOf = (file: string): string =>
  file.startsWith('src/') ? file.split('/').slice(0, 2).join('/') : (file.split('/')[0] ?? '')

/** The imports of a file within the project, as paths from its root. */
export function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)).replaceAll('\\', '/'))
}

/** The other rooms that each room imports from. */
export function roomImports(): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, Set<string>>()
  for (const file of programs) {
    const room = roomOf(file)
    const from = rooms.get(room) ?? new Set()
    rooms.set(room, from)
    for (const imported of importsOf(file)) if (roomOf(imported) !== room) from.add(roomOf(imported))
  }
  return rooms
}

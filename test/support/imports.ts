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
/** A room within a room: reading JSON texts, on which the room around it is built, and others too. */
const WITHIN = 'src/engine/json'

/** The room of a file: its folder in `src` or in a folder of rooms, else the first part of its path. */
export function roomOf(file: string): string {
  const parts = file.split('/')
  const folder = parts.slice(0, 2).join('/')
  if (file.startsWith(`${WITHIN}/`)) return WITHIN
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

/** Which files a file imports, of those that count. */
type ImportedBy = (file: string) => readonly string[]

/** Returns the circles: the largest sets of files in which each leads to every other by imports. The largest comes first. */
export function circlesOf(files: readonly string[], importedBy: ImportedBy): readonly (readonly string[])[] {
  const imported = new Map(files.map((file) => [file, importedBy(file)]))
  const importing = new Map(files.map((file) => [file, files.filter((other) => imported.get(other)?.includes(file))]))
  const reachedFrom = (start: string, steps: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> => {
    const reached = new Set<string>()
    const open = [start]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      for (const next of steps.get(file) ?? []) {
        if (!reached.has(next)) open.push(next)
        reached.add(next)
      }
    }
    return reached
  }
  const circles = files.map((file) => {
    const importers = reachedFrom(file, importing)
    return [...reachedFrom(file, imported)].filter((other) => importers.has(other)).sort()
  })
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()]
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length)
}

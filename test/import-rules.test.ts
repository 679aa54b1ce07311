import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Which folder may import from which others. Files at the root of `src` wire things together. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  mappings: ['src/mapping'],
  'src/mapping': [],
  'src/engine': ['src/mapping'],
  'src/upstream': ['src/mapping'],
  'src/reference': ['src/upstream'],
  'src/gateway': ['src/engine', 'src/mapping', 'src/upstream', 'src/reference', 'src/observe'],
  'src/observe': [],
  'src/http': [],
  'src/compare': ['src/observe', 'src/mapping'],
  'src/sandbox': [],
  'src/config': ['src/upstream'],
  'src/aside': ['mappings', 'src/engine', 'src/gateway', 'src/compare'],
}

const files = globSync(['src/**/*.ts', 'mappings/**/*.ts']).map((file) => file.replaceAll('\\', '/'))
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g

function folderOf(file: string): string {
  return file.startsWith('mappings/') ? 'mappings' : file.split('/').slice(0, 2).join('/')
}

/** The imports of a file within the project, as paths from its root. */
function importsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file), specifier)).replaceAll('\\', '/'))
}

describe('import rules', () => {
  it('finds the files of every folder that the rules name, src/compare aside until it is built', () => {
    const folders = new Set(files.map(folderOf))
    expect(Object.keys(allowed).filter((folder) => !folders.has(folder) && folder !== 'src/compare')).toEqual([])
  })

  it.each(Object.keys(allowed))('%s imports only what it may', (folder) => {
    const wrong = files
      .filter((file) => folderOf(file) === folder)
      .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
      .filter(({ imported }) => {
        const from = folderOf(imported)
        return from !== folder && !(allowed[folder] ?? []).includes(from)
      })
    expect(wrong).toEqual([])
  })

  it('only the mappings name an operation, the sandbox aside', () => {
    const ids = globSync('mappings/*.ts')
      .map((file) => file.replaceAll('\\', '/').replace(/^mappings\/|\.ts$/g, ''))
      .filter((id) => id !== 'index')
    const named = files
      .filter((file) => file.startsWith('src/') && !file.startsWith('src/sandbox/'))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8')
        return ids.filter((id) => new RegExp(`['"\`]${id}['"\`]`).test(text)).map((id) => ({ file, id }))
      })
    expect(named).toEqual([])
  })

  it('only the configuration reads the environment', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readFileSync(file, 'utf8')))
    expect(readers).toEqual(['src/config.ts'])
  })
})

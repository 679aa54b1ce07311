import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importsOf, programs, roomOf } from './support/imports.ts'

/**
 * Which room may import from which others when it runs; `docs/architecture.md` says why. A room that is not named here fails, and so
 * does a circle. All may import from `src/common`, and types from anywhere, by `import type`; the sandbox may do neither.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/common': [],
  'src/mapping': [],
  mappings: ['src/mapping'],
  'src/engine': ['src/mapping'],
  'src/exchange': ['src/engine'],
  'src/http': [],
  'src/upstream': [],
  'src/reference': ['src/upstream'],
  'src/observe': ['src/exchange'],
  'src/gateway': [
    ...['mappings', 'src/mapping', 'src/engine', 'src/exchange', 'src/http'],
    ...['src/upstream', 'src/reference', 'src/observe'],
  ],
  'src/guide': ['src/mapping', 'src/engine', 'src/exchange', 'src/gateway'],
  'src/recording': ['src/engine', 'src/exchange'],
  'src/state': [],
  'src/planes': ['src/exchange'],
  'src/compare': ['src/mapping', 'src/engine', 'src/exchange', 'src/recording', 'src/state'],
  'src/cutover': ['src/exchange', 'src/compare', 'src/planes', 'src/state'],
  'src/usage': ['src/mapping', 'src/engine', 'src/exchange', 'src/observe', 'src/compare', 'src/planes', 'src/state'],
  'src/distil': ['src/mapping', 'src/engine', 'src/exchange', 'src/recording', 'src/compare'],
  'src/probe': ['src/mapping', 'src/guide', 'src/recording', 'src/compare'],
  'src/admin': ['src/exchange', 'src/observe', 'src/state', 'src/cutover', 'src/usage'],
  'src/workers': [
    ...['src/mapping', 'src/admin', 'src/compare', 'src/engine', 'src/exchange', 'src/gateway', 'src/guide'],
    ...['src/planes', 'src/recording'],
  ],
  'src/sandbox': [],
  'src/app': [
    'package.json',
    ...[
      'mappings',
      'src/mapping',
      'src/engine',
      'src/exchange',
      'src/http',
      'src/upstream',
      'src/reference',
      'src/observe',
    ],
    ...['src/gateway', 'src/guide', 'src/recording', 'src/compare', 'src/admin', 'src/workers', 'src/sandbox'],
    ...['src/distil', 'src/state', 'src/cutover', 'src/usage', 'src/planes'],
  ],
  'src/cli': [
    ...['mappings', 'src/mapping', 'src/engine', 'src/http', 'src/upstream', 'src/observe', 'src/gateway', 'src/guide'],
    ...['src/recording', 'src/compare', 'src/probe', 'src/distil', 'src/app', 'src/state', 'src/cutover'],
  ],
}

/** Rooms that import not even types from others. */
const ALONE: readonly string[] = ['src/common', 'src/sandbox']

describe('import rules', () => {
  it('every room has a rule, and every rule a room', () => {
    expect([...new Set(programs.map(roomOf))].sort()).toEqual(Object.keys(allowed).sort())
  })

  it('no rule leads round in a circle', () => {
    const reached = (from: string, seen: readonly string[]): readonly string[] =>
      (allowed[from] ?? []).flatMap((to) => (seen.includes(to) ? [to] : reached(to, [...seen, to])))
    expect(Object.keys(allowed).filter((room) => reached(room, [room]).includes(room))).toEqual([])
  })

  it.each(Object.keys(allowed))('%s imports only what it may', (folder) => {
    const wrong = programs
      .filter((file) => roomOf(file) === folder)
      .flatMap((file) => importsOf(file).map((imported) => ({ file, ...imported })))
      .filter(({ path, isType }) => {
        const from = roomOf(path)
        if (from === folder || allowed[folder]?.includes(from)) return false
        return ALONE.includes(folder) || from === 'src/sandbox' || !(isType || from === 'src/common')
      })
    expect(wrong).toEqual([])
  })

  it('only the mappings name an operation, the sandbox aside', () => {
    const ids = globSync('mappings/*.ts')
      .map((file) => file.replaceAll('\\', '/').replace(/^mappings\/|\.ts$/g, ''))
      .filter((id) => id !== 'index')
    const named = programs
      .filter((file) => file.startsWith('src/') && !file.startsWith('src/sandbox/'))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8')
        return ids.filter((id) => new RegExp(`['"\`]${id}['"\`]`).test(text)).map((id) => ({ file, id }))
      })
    expect(named).toEqual([])
  })

  it('only the configuration reads the environment', () => {
    // A snippet that reads it is a text, which names the variable by a placeholder.
    const readers = programs.filter((file) => /process\.env\b(?!\.\$\{)/.test(readFileSync(file, 'utf8')))
    expect(readers.sort()).toEqual(['src/app/command-config.ts', 'src/app/config.ts'])
  })

  it('tests that run side by side poll with the `expect` of their own context', () => {
    // The imported one knows only the test that began last, so it throws as soon as that one has ended, and in each repetition.
    const wrong = globSync('test/**/*.test.ts').filter((file) => {
      const text = readFileSync(file, 'utf8')
      return (
        /\b(?:describe|it|test)\b.*\.concurrent\b/.test(text) &&
        /\bexpect\.poll\(/.test(text) &&
        /import \{[^}]*\bexpect\b/.test(text)
      )
    })
    expect(wrong).toEqual([])
  })
})

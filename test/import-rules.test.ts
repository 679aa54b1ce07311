import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesOf, type Import, importsOf, programs, roomOf } from './support/imports.ts'

/** What both planes, and most rooms, are built on. */
const ENGINE = ['src/engine', 'src/engine/json']
const BASE = ['src/mapping', ...ENGINE, 'src/exchange']
const EVIDENCE = 'src/control-plane/evidence'
const ROLLOUT = 'src/control-plane/rollout'
const STORE = 'src/control-plane/store'
const GATEWAY = 'src/data-plane/gateway'

/**
 * Which room may import from which others when it runs; `docs/architecture.md` says why. A room that is not named here fails, and so
 * does a circle. All may import from `src/common`, and types from anywhere, by `import type`; the sandbox may do neither. No room of the
 * data plane may import one of the control plane; the control plane may import the translating core, `src/data-plane/gateway`.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'src/common': [],
  'src/sandbox': [],
  'src/engine/json': [],
  'src/mapping': ['src/engine/json'],
  mappings: ['src/mapping'],
  'src/engine': ['src/engine/json', 'src/mapping'],
  'src/exchange': ENGINE,
  'src/observe': ['src/exchange'],
  'src/planes': ['src/exchange'],
  'src/data-plane/http': [],
  'src/data-plane/upstream': ['src/exchange'],
  'src/data-plane/reference': ['src/data-plane/upstream'],
  [GATEWAY]: [
    ...['mappings', ...BASE, 'src/observe'],
    ...['src/data-plane/http', 'src/data-plane/upstream', 'src/data-plane/reference'],
  ],
  'src/guide': [...BASE, GATEWAY],
  [STORE]: [],
  [EVIDENCE]: [...BASE, STORE],
  [ROLLOUT]: [...ENGINE, 'src/exchange', EVIDENCE],
  'src/control-plane/cutover': ['src/exchange', 'src/planes', STORE, EVIDENCE, ROLLOUT],
  'src/control-plane/usage': [...BASE, 'src/observe', 'src/planes', STORE, EVIDENCE, ROLLOUT],
  'src/control-plane/admin': [
    ...['src/mapping', 'src/exchange', 'src/observe', EVIDENCE, STORE],
    ...['src/control-plane/cutover', 'src/control-plane/usage'],
  ],
  'src/recordings': [...ENGINE, 'src/exchange'],
  'src/recordings/replay': ['src/mapping', 'src/exchange', EVIDENCE],
  'src/recordings/distil': [...BASE, 'src/recordings', 'src/recordings/replay', EVIDENCE],
  'src/recordings/probe': ['src/mapping', 'src/guide', EVIDENCE],
  'src/workers': [...BASE, 'src/planes', 'src/recordings', 'src/guide', GATEWAY, EVIDENCE],
}

/** Programs, which wire the rooms together: they may import all of them, but for `src/app`, which imports no command. */
const PROGRAMS = ['src/app', 'src/cli']

/** The most files in a circle of imports of types. */
const LARGEST_CIRCLE = 12

const LONGEST_FILE = 300

/** Rooms that import not even types from others. */
const ALONE: readonly string[] = ['src/common', 'src/sandbox']

describe('import rules', () => {
  it('every room has a rule, and every rule a room', () => {
    expect([...new Set(programs.map(roomOf))].sort()).toEqual([...Object.keys(allowed), ...PROGRAMS].sort())
  })

  it('no rule leads round in a circle', () => {
    const reached = (from: string, seen: readonly string[]): readonly string[] =>
      (allowed[from] ?? []).flatMap((to) => (seen.includes(to) ? [to] : reached(to, [...seen, to])))
    expect(Object.keys(allowed).filter((room) => reached(room, [room]).includes(room))).toEqual([])
  })

  it('no files import each other in a circle when they run, and no circle of types has more than 12 files', () => {
    const imports = new Map(programs.map((file) => [file, importsOf(file)]))
    const circles = (isCounted: (imported: Import) => boolean) =>
      circlesOf(programs, (file) => (imports.get(file) ?? []).filter(isCounted).map(({ path }) => path))
    expect(circles(({ isType }) => !isType)).toEqual([])
    expect(circles(() => true).filter(({ length }) => length > LARGEST_CIRCLE)).toEqual([])
  })

  it('no two files have the same name, and none has more than 300 lines', () => {
    const sources = programs.filter((file) => file.startsWith('src/'))
    const names = sources.map((file) => basename(file))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(sources.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > LONGEST_FILE)).toEqual([])
  })

  it('a call loads at most 100 files', () => {
    const loaded = new Set<string>()
    const open = ['src/data-plane/gateway/serve-call.ts']
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (loaded.has(file)) continue
      loaded.add(file)
      for (const { path, isType } of importsOf(file)) if (!isType) open.push(path)
    }
    expect(loaded.size).toBeLessThanOrEqual(100)
    expect(loaded.size).toBeGreaterThan(50)
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

  it('nobody but programs imports programs, and the application imports no command', () => {
    const wrong = programs.filter((file) => {
      const room = roomOf(file)
      return importsOf(file).some(
        ({ path, isType }) =>
          !isType &&
          ((roomOf(path) === 'src/cli' && room !== 'src/cli') ||
            (roomOf(path) === 'src/app' && !PROGRAMS.includes(room))),
      )
    })
    expect(wrong).toEqual([])
  })

  it('no room of the data plane may import one of the control plane', () => {
    const reached = (room: string): readonly string[] => [room, ...(allowed[room] ?? []).flatMap(reached)]
    const ofData = Object.keys(allowed).filter((room) => room.startsWith('src/data-plane/'))
    expect(ofData.flatMap(reached).filter((room) => room.startsWith('src/control-plane/'))).toEqual([])
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

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Fault, problemsOf } from './fault.ts'
import { faults } from './faults.ts'
import { type Tests, TestsError, testsIn } from './first-red.ts'

const HELP = `npm run mutants -- [--lane all] [--in FOLDER] [NAME …]

Applies each deliberate fault of test/mutants/faults.ts to a copy of the working tree, and runs the tests there until one fails.
Prints which tests find it. NAME: only the faults whose name contains it. Takes about half an hour for all on two processors.

  --lane all   runs the tests of a checkout without lanes: everything, once
  --in FOLDER  takes this checkout, for instance one of an earlier version

The tests must be green without a fault: this is not checked. If a file is named that has nothing to do with the fault, run that
fault again: a test may fail because the machine is busy. Ends with 1 if a fault is not found that must be.`

/** A lane as people call it, and what vitest runs for it. */
interface Lane {
  readonly name: string
  readonly options: readonly string[]
}

const QUICK: Lane = { name: 'npm test', options: ['--project', 'behaviour'] }
/** What `test:all` adds. */
const SURROUNDINGS: Lane = { name: 'test:all', options: ['--project', 'surroundings', '--project', 'alone'] }
const WITHOUT_LANES: Lane = { name: 'all', options: [] }

/** How many of all faults `npm test` may miss. `test:all` must find each. */
const MOST_MISSED = 3

/** Tests that need not be copied: that of the faults would fail for each. */
const NOT_COPIED = /^(?:node_modules|\.git|report|coverage|test\/mutants\/faults\.test\.ts)$/

/** Copies a working tree. The copy has its own folder for caches, and the packages of the original. */
function copyTo(copy: string, root: string): void {
  cpSync(root, copy, { recursive: true, filter: (path) => !NOT_COPIED.test(relative(root, path)) })
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!/^\.(?:cache|vite)/.test(name)) symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  }
}

/** Returns the folders whose tests are most likely to find a fault. They run first. */
function nearest(copy: string, { file }: Fault): readonly string[] {
  const room = file.split('/')[1] ?? ''
  const folders = ['engine', 'gateway'].includes(room) ? [room, 'cases'] : [room]
  return folders.map((name) => `test/${name}`).filter((folder) => existsSync(join(copy, folder)))
}

/** What each lane says of a fault: the file of the first test that failed; undefined: all passed. */
type Found = readonly (string | undefined)[]

async function find(copy: string, tests: Tests, fault: Fault, lanes: readonly Lane[]): Promise<Found> {
  const path = join(copy, fault.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, original.split(fault.line).join(fault.becomes))
  try {
    const found: (string | undefined)[] = []
    for (const { options } of lanes) {
      const folders = found.length === 0 ? nearest(copy, fault) : []
      const near = folders.length === 0 ? undefined : await tests.firstRed([...options, ...folders])
      found.push(near ?? (await tests.firstRed(options)))
      if (found.at(-1) !== undefined) break
    }
    return found
  } finally {
    writeFileSync(path, original)
  }
}

const options = { lane: { type: 'string' }, in: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help === true) return say(HELP, 0)
  if (values.lane !== undefined && values.lane !== 'all') return say('--lane can only be all', 1)
  const lanes = values.lane === 'all' ? [WITHOUT_LANES] : [QUICK, SURROUNDINGS]
  const root = resolve(values.in ?? '.')
  const chosen = faults.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  )
  if (chosen.length === 0) return say(`No fault has ${positionals.join(' or ')} in its name.`, 1)
  const problems = problemsOf(root, chosen)
  if (problems.length > 0) return say(problems.join('\n'), 1)

  const copy = mkdtempSync(join(tmpdir(), 'mutants-'))
  const tests = testsIn(copy)
  const clear = async (): Promise<void> => {
    await tests.end()
    rmSync(copy, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void clear().then(() => process.exit(130)))
  const [nameWidth, fileWidth] = [widest(chosen.map(({ name }) => name)), widest(chosen.map(({ file }) => file))]
  const print = (name: string, file: string, lane: readonly string[], test: string): void =>
    console.log(
      [name.padEnd(nameWidth), file.padEnd(fileWidth), ...lane.map((cell) => cell.padEnd(8)), test].join('  '),
    )
  try {
    copyTo(copy, root)
    print(
      'fault',
      'file',
      lanes.map(({ name }) => name),
      'first failing test file',
    )
    const all: Found[] = []
    for (const fault of chosen) {
      const found = await find(copy, tests, fault, lanes)
      all.push(found)
      // What the first lane finds, the last one finds too: it contains it.
      const cells = lanes.map((_, at) => (found.slice(0, at + 1).some((file) => file !== undefined) ? 'red' : 'green'))
      print(fault.name, fault.file, cells, found.at(-1) ?? '–')
    }
    const missed = all.filter((found) => found.at(-1) === undefined).length
    const missedAtFirst = all.filter(([first]) => first === undefined).length
    console.log(
      `\n${lanes.map(({ name }, at) => `${name} finds ${all.length - (at === 0 ? missedAtFirst : missed)}`).join(', ')} of ${all.length}.`,
    )
    return missed > 0 || missedAtFirst > MOST_MISSED ? 1 : 0
  } catch (error) {
    if (!(error instanceof TestsError)) throw error
    return say(error.message, 1)
  } finally {
    await clear()
  }
}

function say(text: string, code: number): number {
  console.error(text)
  return code
}

const widest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length))

process.exitCode = await main()

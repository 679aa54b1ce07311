import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { LedgerFault } from './deliberate-faults.ts'

/** What histories say of a deliberate fault. */
export interface Found {
  readonly fault: LedgerFault
  /** After how many histories it was found; undefined: it was not. */
  readonly histories: number | undefined
  /** The check that found it, in a sentence. */
  readonly by: string
  readonly seconds: number
}

/** What is copied. */
const COPIED = ['src', 'mappings', 'test/simulate', 'package.json']

/** Runs at most so many histories with a deliberate fault, in a copy of the working tree, until one finds it. */
async function find(fault: LedgerFault, most: number): Promise<Found> {
  const began = performance.now()
  const copy = mkdtempSync(join(tmpdir(), 'simulate-'))
  try {
    for (const path of COPIED) cpSync(path, join(copy, path), { recursive: true })
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
    apply(fault, copy)
    const { code, output } = await run(copy, ['1', `${most}`, '--until-wrong'])
    const [, seed, by] = /^seed (\d+): (.*)$/m.exec(output) ?? []
    if (code !== 0 && seed === undefined) throw new Error(`${fault.name}: the histories cannot run: ${output}`)
    const seconds = (performance.now() - began) / 1_000
    return { fault, histories: seed === undefined ? undefined : Number(seed), by: by ?? 'nothing', seconds }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Finds several faults, two at a time. @param onFound called with each as soon as it is known. */
export async function findEach(
  faults: readonly LedgerFault[],
  most: number,
  onFound: (found: Found) => void = () => undefined,
): Promise<readonly Found[]> {
  const left = [...faults]
  const all: Found[] = []
  const findNext = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const found = await find(fault, most)
      all.push(found)
      onFound(found)
    }
  }
  await Promise.all([findNext(), findNext()])
  return all
}

/** @throws Error if the code is no longer as the fault expects. */
function apply({ name, file, changes }: LedgerFault, copy: string): void {
  const path = join(copy, file)
  let text = readFileSync(path, 'utf8')
  for (const [part, becomes] of changes) {
    const times = text.split(part).length - 1
    if (times !== 1) throw new Error(`${name}: ${file} has this text ${times} times instead of once: ${part}`)
    text = text.split(part).join(becomes)
  }
  writeFileSync(path, text)
}

/** Runs the command in a folder. Returns how it ended, and what it wrote. */
export function run(
  folder: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('test', 'simulate', 'run.ts'), ...args], { cwd: folder })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'

/** The tests of one checkout. */
export interface Tests {
  /**
   * Runs tests until one fails. Returns its file, or undefined if all pass.
   * @param what options and folders for vitest.
   * @throws TestsError if vitest could not run.
   */
  firstRed(what: readonly string[]): Promise<string | undefined>
  /** Ends what `firstRed` has started. It then never settles. */
  end(): Promise<void>
}

/** The tests could not run at all. */
export class TestsError extends Error {}

/** A fault may keep the tests from ending, which counts as found; ms. */
const LONGEST_MS = 20 * 60_000
/** How long vitest may take to stop its servers; ms. */
const GRACE_MS = 10_000
/** How much of vitest's output is shown when it could not run, in characters. */
const SHOWN = 2_000

/** The part of vitest's report in JSON that is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    /** Why the file itself failed, for instance while it was loaded; empty if it did not. */
    readonly message: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

export function testsIn(root: string): Tests {
  const report = join(root, 'node_modules/.cache/first-red.json')
  let running: ChildProcess | undefined
  let isOver = false

  /** Ends a process, and those that it has started, which are in its group. */
  const endGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // None is left.
    }
  }
  const stop = async (child: ChildProcess): Promise<void> => {
    endGroup(child, 'SIGTERM')
    if (child.exitCode === null && child.signalCode === null) {
      await Promise.race([once(child, 'exit'), after(GRACE_MS, undefined, { ref: false })])
    }
    endGroup(child, 'SIGKILL')
  }

  return {
    async firstRed(what) {
      rmSync(report, { force: true })
      const options = ['--bail', '1', '--passWithNoTests', '--reporter', 'json', '--outputFile', report]
      const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...what], {
        ...{ cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      })
      running = child
      let output = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          output = `${output}${chunk}`.slice(-SHOWN)
        })
      }
      let hangs = false
      const limit = setTimeout(() => {
        hangs = true
        void stop(child)
      }, LONGEST_MS)
      await once(child, 'exit')
      clearTimeout(limit)
      if (isOver) return new Promise(() => undefined)
      endGroup(child, 'SIGKILL')
      running = undefined
      return hangs ? '(the tests do not end)' : redIn(report, root, output, child.exitCode)
    },
    async end() {
      isOver = true
      if (running !== undefined) await stop(running)
    },
  }
}

/** @throws TestsError if vitest has written no report. */
function redIn(path: string, root: string, output: string, exitCode: number | null): string | undefined {
  let report: Report
  try {
    report = JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch (cause) {
    throw new TestsError(`vitest could not run:\n${output}`, { cause })
  }
  // The report says of a file that was given up, too, that it failed.
  const first = report.testResults.find(
    ({ message, assertionResults }) => message !== '' || assertionResults.some(({ status }) => status === 'failed'),
  )
  if (first !== undefined) return relative(root, first.name)
  return exitCode === 0 ? undefined : '(an error outside of tests)'
}

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stateFolder } from './comparing-process.ts'

/** The library that `faketime` preloads; undefined if it is not installed. */
const LIBRARY = /\S+/.exec(
  spawnSync('faketime', ['-f', '+0d', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).stdout,
)?.[0]

export const canFakeTime = LIBRARY !== undefined

/** A wall clock for a process that can be set while the process runs. Its monotonic clock is unaffected. */
export function fakeTime(from: string): { readonly env: Readonly<Record<string, string>>; set(to: string): void } {
  const file = join(stateFolder(), 'time')
  const set = (to: string): void => writeFileSync(file, `${to}\n`)
  set(from)
  return {
    env: {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    },
    set,
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A deliberate mistake: a change of one line of `src/`. It keeps the types valid, and users would suffer from it. */
export interface Fault {
  readonly name: string
  /** What a user would suffer. */
  readonly hurts: string
  /** From the root of the checkout. */
  readonly file: string
  /** A part of the original line that occurs exactly once in the file. */
  readonly line: string
  /** What stands in its place. */
  readonly becomes: string
}

/** Returns why faults cannot be applied to a checkout, one line each, with the fault's name. */
export const problemsOf = (root: string, faults: readonly Fault[]): readonly string[] =>
  faults.flatMap(({ name, file, line, becomes }) => {
    const path = join(root, file)
    if (!existsSync(path)) return [`${name}: there is no ${file}`]
    const times = readFileSync(path, 'utf8').split(line).length - 1
    return [
      ...(times === 1 ? [] : [`${name}: ${file} has this text ${times} times instead of once: ${line}`]),
      ...(line === becomes || `${line}${becomes}`.includes('\n')
        ? [`${name}: it does not change exactly one line`]
        : []),
    ]
  })

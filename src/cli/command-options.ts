import { type Command, InvalidArgumentError } from 'commander'
import { USAGE } from './printing.ts'

// What commands of the command line have in common.

export const ADMIN = 'the admin port of the gateway (default: ADMIN_HOST, ADMIN_PORT)'
const VISIBLE = 'other users of this machine can see it'
export const CORRECTIONS = 'corrections of the mappings (JSON)'
export const RECORDINGS =
  'recordings (NDJSON), HAR files or Postman collections 2.1, gzipped or not; or directories of them'

/** Makes a program, and the commands that are added to it, exit with 2 if the command line is wrong. Its errors do not show values. */
export const refusingWith2 = (program: Command): Command =>
  program
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE))

/** Removes values from an error of the parser: a value may be a secret, even after a mistyped option or no option. */
const withoutValues = (text: string): string =>
  text.replace(/(--[\w-]+)=[^']*/, '$1=…').replace(/(but got \d+):.*/s, '$1.\n')

/** Adds a command that asks both services and compares their answers. */
export const comparing = (program: Command, name: string): Command =>
  program
    .command(name)
    .option('--legacy <url>', 'the legacy service (default: LEGACY_BASE_URL)')
    .option('--v1 <url>', 'the v1 service (default: V1_BASE_URL)')
    .option('--client-id <id>', 'the client id for logging in to both sides, with a secret key')
    .option('--secret-key-file <file>', 'a file with the secret key of the client (default: the key in SECRET_KEY)')
    .option('--secret-key <key>', `the secret key itself; ${VISIBLE}`)
    .option(
      '--legacy-token-file <file>',
      'without a client id: a file with the token for legacy (default: the token in LEGACY_TOKEN)',
    )
    .option('--legacy-token <token>', `that token itself; ${VISIBLE}`)
    .option(
      '--v1-token-file <file>',
      'without a client id: a file with the token for v1 (default: the token in V1_TOKEN)',
    )
    .option('--v1-token <token>', `that token itself; ${VISIBLE}`)
    .option('--report <directory>', 'the directory for report.json, report.html, junit.xml and propose.json', 'report')
    .option('--no-confirm', 'do not ask both services again where their answers differ')
    .option('--repeat-control', 'always ask the legacy service twice')
    .option('--target <rate>', "the match rate to prove (default: the rollout file's, else 0.99)")
    .option('--concurrency <number>', 'the number of exchanges at the same time', '4')
    .option('--rate <number>', 'the maximum number of exchanges per second')

/** Adds the option of commands whose exit code says whether enough was compared. */
export const untilDifference = (command: Command): Command =>
  command.option('--until-difference', 'exit with 0 unless something differs or fails, however little was compared')

/** Adds the options for the token of the admin port. */
export const withToken = (command: Command): Command =>
  command
    .option('--token-file <file>', 'a file with the token of the admin port (default: the token in ADMIN_TOKEN)')
    .option('--token <token>', `that token itself; ${VISIBLE}`)

/** Adds the options that say where the gateway is, and the exit codes. @param one, two what exit codes 1 and 2 mean. */
export const asking = (command: Command, one = 'refused', two = 'the gateway could not be asked'): Command =>
  withToken(command.option('--admin <url>', ADMIN)).addHelpText('after', `\nExit codes: 0 done, 1 ${one}, 2 ${two}.`)

/** Adds the options of an order to the gateway. */
export const ordering = (command: Command): Command =>
  command
    .requiredOption('--why <text>', 'the reason, for the audit')
    .option('--by <name>', 'who gives the order (default: your login name)')

export const collect = (id: string, before: readonly string[] = []): readonly string[] => [...before, id]

export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

/** The most decisions that the admin port gives at once. */
const MOST_DECISIONS = 1_000

export function decisions(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_DECISIONS) return Number(text)
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_DECISIONS}.`)
}

/**
 * Returns an action that loads a module, calls its function, and exits with the code that this returns.
 * @param first arguments before those of the command line.
 */
export const run =
  <Name extends string>(
    load: () => Promise<Readonly<Record<Name, (...args: never[]) => Promise<number>>>>,
    name: Name,
    ...first: readonly unknown[]
  ) =>
  async (...args: readonly unknown[]): Promise<void> => {
    const module = await load()
    process.exitCode = await module[name](...([...first, ...args] as never[]))
  }

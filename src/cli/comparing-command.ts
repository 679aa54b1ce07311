import { Command } from 'commander'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_RUN = 2

/** Creates a command that asks both services and compares their answers: with its options, its error messages and their exit code. */
export function comparingCommand(name: string): Command {
  return new Command(name)
    .option('--legacy <url>', 'the legacy service (default: LEGACY_BASE_URL)')
    .option('--v1 <url>', 'the v1 service (default: V1_BASE_URL)')
    .option('--legacy-token <token>', 'the token for the legacy service')
    .option('--v1-token <token>', 'the token for v1')
    .option('--client-id <id>', 'the client id for logging in to both sides, with --secret-key')
    .option('--secret-key <key>', 'the secret key of the client')
    .option('--report <directory>', 'the directory for report.json, report.html and junit.xml', 'report')
    .option('--no-confirm', 'do not ask both services again where their answers differ')
    .option('--repeat-control', 'always ask the legacy service twice')
    .option('--until-difference', 'exit with 0 unless something differs or fails, however little was compared')
    .option('--target <rate>', "the match rate to prove (default: the rollout file's, else 0.99)")
    .option('--concurrency <number>', 'the number of exchanges at the same time', '4')
    .option('--rate <number>', 'the maximum number of exchanges per second')
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN))
}

/**
 * Removes argument values from an error of the parser: a value may be a secret, even after a mistyped option or no option.
 */
export const withoutValues = (text: string): string =>
  text.replace(/(--[\w-]+)=[^']*/, '$1=…').replace(/(but got \d+):.*/s, '$1.\n')

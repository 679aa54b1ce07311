import { setFlagsFromString } from 'node:v8'
import { Command } from 'commander'
import type { ReplayOptions } from './replay/replay-options.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_RUN = 2

/** `legacy-gateway replay FILE` (docs/decisions/0047). */
export function replayCommand(): Command {
  return new Command('replay')
    .description('ask the legacy service and v1 what was recorded, and compare their answers')
    .argument('<file>', 'a recording (NDJSON), a HAR file or a Postman collection 2.1; each may be gzip')
    .option('--legacy <url>', 'the legacy service (default: LEGACY_BASE_URL)')
    .option('--v1 <url>', 'the v1 service (default: V1_BASE_URL)')
    .option('--legacy-token <token>', 'sent to the legacy service')
    .option('--v1-token <token>', 'sent to v1')
    .option('--client-id <id>', 'logs in to both sides, with --secret-key')
    .option('--secret-key <key>', 'of the client')
    .option('--report <directory>', 'where report.json, report.html and junit.xml are written', 'report')
    .option('--repeat-control', 'ask the legacy service twice, to tell its own noise from differences')
    .option('--include-writes', 'send writes as well, once to each side')
    .option('--target <rate>', "the match rate to be proven (default: the rollout file's, else 0.99)")
    .option('--concurrency <number>', 'exchanges at a time', '4')
    .option('--rate <number>', 'exchanges a second, at most')
    .addHelpText('after', '\nExit: 0 parity, 1 something mismatched or failed, 2 it could not run.')
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN))
    .action(async (file: string, options: ReplayOptions) => {
      preferMemory()
      const { replayFile } = await import('./replay/replay-file.ts')
      process.exitCode = await replayFile(file, options)
    })
}

/** A complaint of the parser's without the values in it: one may be a secret, behind a mistyped option or without any. */
const withoutValues = (text: string): string =>
  text.replace(/(--[\w-]+)=[^']*/, '$1=…').replace(/(but got \d+):.*/s, '$1.\n')

/**
 * A replay runs for long beside whatever else the machine does, and mostly waits for the services: memory is to be preferred to
 * speed. It takes about half as much; V8 looks at this flag whenever it collects garbage.
 */
function preferMemory(): void {
  setFlagsFromString('--optimize-for-size')
}

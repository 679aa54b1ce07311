import type { Command } from 'commander'
import { comparingCommand } from './comparing-command.ts'
import type { ReplayOptions } from './replay/replay-options.ts'

/** `legacy-gateway replay FILE…` (docs/decisions/0047 and docs/decisions/0074). */
export function replayCommand(): Command {
  return comparingCommand('replay')
    .description('replay recordings against the legacy service and v1, merged by time, and compare their answers')
    .argument(
      '<file...>',
      'recordings (NDJSON), HAR files or Postman collections 2.1, gzipped or not; or directories of them',
    )
    .option('--include-writes', 'also send writes, once to each side; both sides must be copies of the services')
    .option(
      '--these-are-copies',
      'both services are copies, and may be written to (needed unless both are on this machine)',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 every compared operation is ready, 1 an exchange mismatched or failed, 2 the replay could not run, 3 not enough data.',
    )
    .action(async (files: string[], options: ReplayOptions, command: Command) => {
      const { replayFiles } = await import('./replay/replay-files.ts')
      const { rawArgs: words = [] } = (command.parent ?? command) as { readonly rawArgs?: readonly string[] }
      process.exitCode = await replayFiles(files, options, words)
    })
}

import type { Command } from 'commander'
import { comparingCommand, preferMemory } from './comparing-command.ts'
import type { ReplayOptions } from './replay/replay-options.ts'

/** `legacy-gateway replay FILE` (docs/decisions/0047). */
export function replayCommand(): Command {
  return comparingCommand('replay')
    .description('replay a recording against the legacy service and v1, and compare their answers')
    .argument('<file>', 'a recording (NDJSON), a HAR file or a Postman collection 2.1; each may be gzip')
    .option('--include-writes', 'also send writes, once to each side, which must be copies of the services')
    .option(
      '--these-are-copies',
      'both services are copies, and may be written to (needed unless both are on this machine)',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 every compared operation is ready, 1 an exchange mismatched or failed, 2 the replay could not run, 3 not enough data.',
    )
    .action(async (file: string, options: ReplayOptions) => {
      preferMemory()
      const { replayFile } = await import('./replay/replay-file.ts')
      process.exitCode = await replayFile(file, options)
    })
}

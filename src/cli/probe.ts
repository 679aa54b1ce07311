import type { Command } from 'commander'
import { comparingCommand } from './comparing-command.ts'
import type { ProbeOptions } from './probe/probe-options.ts'

/** `legacy-gateway probe` (docs/decisions/0065). */
export function probeCommand(): Command {
  return comparingCommand('probe')
    .description('send both services reads and calculations that no client has sent yet, and compare the answers')
    .option('--budget <number>', 'the maximum number of calls to each side', '300')
    .option('--operation <id>', 'probe this operation only; may be given several times', collect)
    .addHelpText(
      'after',
      '\nExit codes: 1 an exchange mismatched or failed, 2 the probe could not run, 3 nothing differed. Made-up requests make no operation ready, so the exit code is 0 only with --until-difference.',
    )
    .action(async (options: ProbeOptions) => {
      const { probeServices } = await import('./probe/probe-services.ts')
      process.exitCode = await probeServices(options)
    })
}

const collect = (id: string, before: readonly string[] = []): readonly string[] => [...before, id]

import type { Command } from 'commander'
import { comparingCommand, preferMemory } from './comparing-command.ts'
import type { ProbeOptions } from './probe/probe-options.ts'

/** `legacy-gateway probe` (docs/decisions/0065). */
export function probeCommand(): Command {
  return comparingCommand('probe')
    .description('ask the legacy service and v1 what nobody asked yet, reads and calculations only, and compare')
    .option('--budget <number>', 'the maximum number of calls of each side', '300')
    .option('--operation <id>', 'probe this operation only; may be given several times', collect)
    .addHelpText(
      'after',
      '\nExit codes: 1 an exchange mismatched or failed, 2 the probe could not run, 3 nothing differed. Made-up requests make no operation ready, so 0 needs --until-difference.',
    )
    .action(async (options: ProbeOptions) => {
      preferMemory()
      const { probeServices } = await import('./probe/probe-services.ts')
      process.exitCode = await probeServices(options)
    })
}

const collect = (id: string, before: readonly string[] = []): readonly string[] => [...before, id]

import type { Command } from 'commander'
import { asking, askingCommand } from './asking-command.ts'
import type { EndOptions } from './brownouts/end-brownouts.ts'
import type { ListOptions } from './brownouts/list-brownouts.ts'

/** `legacy-gateway brownouts [list|end]` (docs/cutover.md "Brownouts"). */
export function brownoutsCommand(): Command {
  const brownouts = askingCommand('brownouts', 'show the brownouts of the rollout file and whom they hit, and end them')
  asking(brownouts.command('list', { isDefault: true }))
    .description('show which are to come, under way and over, and how many clients each concerns')
    .option('--json', 'print JSON, with every client')
    .action(async (options: ListOptions) => {
      process.exitCode = await (await import('./brownouts/list-brownouts.ts')).listBrownouts(options)
    })
  asking(brownouts.command('end'))
    .description('end all that are under way, at once')
    .requiredOption('--why <text>', 'why; it is kept in the audit')
    .option('--by <name>', 'who orders it (default: your login name)')
    .option('--json', 'print JSON')
    .action(async (options: EndOptions) => {
      process.exitCode = await (await import('./brownouts/end-brownouts.ts')).endBrownouts(options)
    })
  return brownouts
}

import type { Command } from 'commander'
import { asking, askingCommand } from './asking-command.ts'
import type { EndOptions } from './brownouts/end-brownouts.ts'
import type { ListOptions } from './brownouts/list-brownouts.ts'

/** `legacy-gateway brownouts [list|end]` (docs/cutover.md "Brownouts"). */
export function brownoutsCommand(): Command {
  const brownouts = askingCommand(
    'brownouts',
    'show the brownouts of the rollout file and the clients they affect, and end them',
  )
  asking(brownouts.command('list', { isDefault: true }))
    .description('list the brownouts to come, under way and over, and how many clients each affects')
    .option('--json', 'print JSON, with every client')
    .action(async (options: ListOptions) => {
      process.exitCode = await (await import('./brownouts/list-brownouts.ts')).listBrownouts(options)
    })
  asking(brownouts.command('end'))
    .description('end all brownouts that are under way, immediately')
    .requiredOption('--why <text>', 'the reason, for the audit')
    .option('--by <name>', 'who gives the order (default: your login name)')
    .option('--json', 'print JSON')
    .action(async (options: EndOptions) => {
      process.exitCode = await (await import('./brownouts/end-brownouts.ts')).endBrownouts(options)
    })
  return brownouts
}

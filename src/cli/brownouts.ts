import { Command } from 'commander'
import type { EndOptions } from './brownouts/end-brownouts.ts'
import type { ListOptions } from './brownouts/list-brownouts.ts'
import { withoutValues } from './comparing-command.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_ASK = 2
const EXIT_CODES = '\nExit codes: 0 done, 1 refused, 2 the gateway could not be asked.'

/** `legacy-gateway brownouts [list|end]` (docs/cutover.md "Brownouts"). */
export function brownoutsCommand(): Command {
  // Its commands inherit how errors are told. It has no options: those of `list`, which can be left out, would be its own.
  const brownouts = new Command('brownouts')
    .description('show the brownouts of the rollout file and whom they hit, and end them')
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_ASK))
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

/** Adds what both have: where the gateway is, and exit codes. */
const asking = (command: Command): Command =>
  command
    .option('--admin <url>', 'the admin port of the gateway (default: ADMIN_HOST, ADMIN_PORT)')
    .option('--token <token>', 'the token of the admin port (default: ADMIN_TOKEN)')
    .addHelpText('after', EXIT_CODES)

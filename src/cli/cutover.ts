import { Command, InvalidArgumentError } from 'commander'
import { ACTIONS, type Action } from '../cutover/order.ts'
import { withoutValues } from './comparing-command.ts'
import type { OrderOptions } from './cutover/give-order.ts'
import type { AuditOptions } from './cutover/show-audit.ts'
import type { StatusOptions } from './cutover/show-status.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_ASK = 2
const EXIT_CODES = '\nExit codes: 0 done, 1 refused, 2 the gateway could not be asked.'
const SAYS: Readonly<Record<Action, string>> = {
  advance: 'take the next step now, without waiting for calls, time, window or a missing verdict',
  approve: 'let the next step be taken, where the plan wants an approval',
  pause: 'take no step until somebody resumes; v1 goes on answering as many clients as now',
  resume: 'go on: after a pause where it was, after a stop at 0 %',
  stop: 'let the legacy service answer everybody at once, until somebody resumes',
}

/** `legacy-gateway cutover [status|advance|approve|pause|resume|stop|audit] [OPERATION]` (docs/cutover.md). */
export function cutoverCommand(): Command {
  // Its commands inherit how errors are told. It has no options: those of `status`, which can be left out, would be its own.
  const cutover = new Command('cutover')
    .description('show where each plan stands, and give orders about it')
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_ASK))
  asking(cutover.command('status', { isDefault: true }))
    .description('show where each plan stands, and what it waits for')
    .argument('[operation]', 'the id of an operation; left out: all that have a plan')
    .option('--json', 'print JSON')
    .action(async (operation: string | undefined, options: StatusOptions) => {
      process.exitCode = await (await import('./cutover/show-status.ts')).showStatus(operation, options)
    })
  for (const action of ACTIONS) {
    asking(cutover.command(action))
      .description(SAYS[action])
      .argument('<operation>', 'the id of the operation')
      .requiredOption('--why <text>', 'why; it is kept in the audit')
      .option('--by <name>', 'who orders it (default: your login name)')
      .option('--version <number>', 'refuse when this is no longer the version that cutover status shows', wholeNumber)
      .option('--json', 'print JSON')
      .action(async (operation: string, options: OrderOptions) => {
        process.exitCode = await (await import('./cutover/give-order.ts')).giveOrder(action, operation, options)
      })
  }
  asking(cutover.command('audit'))
    .description('tell what was decided, by whom and why; the newest last')
    .option('--operation <id>', 'tell of this operation alone; * tells of what concerned all')
    .option('--limit <number>', 'how many decisions at most, up to 1000 (default: 100)')
    .option('--before <cursor>', 'tell what was before these, as the first line says')
    .option('--json', 'print JSON, the newest first')
    .action(async (options: AuditOptions) => {
      process.exitCode = await (await import('./cutover/show-audit.ts')).showAudit(options)
    })
  return cutover
}

/** Adds the options that say where the gateway is. */
const asking = (command: Command): Command =>
  command
    .option('--admin <url>', 'the admin port of the gateway (default: ADMIN_HOST, ADMIN_PORT)')
    .option('--token <token>', 'the token of the admin port (default: ADMIN_TOKEN)')
    .addHelpText('after', EXIT_CODES)

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

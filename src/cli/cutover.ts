import { type Command, InvalidArgumentError } from 'commander'
import { ACTIONS, type Action } from '../cutover/order.ts'
import type { AdminPortOptions } from './admin-port.ts'
import { asking, askingCommand } from './asking-command.ts'
import type { OrderOptions } from './cutover/give-order.ts'
import type { AuditOptions } from './cutover/show-audit.ts'
import type { StatusOptions } from './cutover/show-status.ts'

const SAYS: Readonly<Record<Action, string>> = {
  advance: 'take the next step now, without waiting for calls, time, a window or a missing verdict',
  approve: 'approve the next step, where the plan requires an approval',
  pause: 'take no step until someone resumes the plan; v1 keeps answering as many clients as now',
  resume: 'continue: after a pause, where the plan was; after a stop, at 0 %',
  stop: 'return all clients to the legacy service immediately, until someone resumes the plan',
}

/** `legacy-gateway cutover [status|advance|approve|pause|resume|stop|audit] [OPERATION]` (docs/cutover.md). */
export function cutoverCommand(): Command {
  const cutover = askingCommand('cutover', 'show where each plan stands, and give it orders')
  asking(cutover.command('status', { isDefault: true }))
    .description('show where each plan stands, and what it waits for')
    .argument('[operation]', 'the id of an operation (default: all that have a plan)')
    .option('--json', 'print JSON')
    .action(async (operation: string | undefined, options: StatusOptions) => {
      process.exitCode = await (await import('./cutover/show-status.ts')).showStatus(operation, options)
    })
  for (const action of ACTIONS) {
    asking(cutover.command(action))
      .description(SAYS[action])
      .argument('<operation>', 'the id of the operation')
      .requiredOption('--why <text>', 'the reason, for the audit')
      .option('--by <name>', 'who gives the order (default: your login name)')
      .option('--version <number>', 'refuse unless this is still the version that cutover status shows', wholeNumber)
      .option('--json', 'print JSON')
      .action(async (operation: string, options: OrderOptions) => {
        process.exitCode = await (await import('./cutover/give-order.ts')).giveOrder(action, operation, options)
      })
  }
  asking(cutover.command('audit'))
    .description('show what was decided, by whom and why; newest last')
    .option('--operation <id>', 'show this operation only; * shows what concerned all operations')
    .option('--limit <number>', 'the maximum number of decisions, up to 1000 (default: 100)')
    .option('--before <cursor>', 'show older decisions; the first line of the output gives the cursor')
    .option('--json', 'print JSON, newest first')
    .action(async (options: AuditOptions) => {
      process.exitCode = await (await import('./cutover/show-audit.ts')).showAudit(options)
    })
  asking(cutover.command('plan'), 'the file has mistakes', 'the file or the gateway could not be read')
    .description('show what a rollout file would do now, per operation, without doing it')
    .argument('<file>', 'a rollout file')
    .option('--dry-run', 'change nothing; always in effect, since only the gateway carries out its ROLLOUT_FILE')
    .action(async (file: string, options: AdminPortOptions) => {
      process.exitCode = await (await import('./cutover/plan-file.ts')).planFile(file, options)
    })
  return cutover
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

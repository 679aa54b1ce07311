import { type Command, InvalidArgumentError } from 'commander'
import { ACTIONS, type Action } from '../cutover/order.ts'
import type { AdminPortOptions } from './admin-port.ts'
import { asking, askingCommand } from './asking-command.ts'
import type { OrderOptions } from './cutover/give-order.ts'
import type { AuditOptions } from './cutover/show-audit.ts'
import type { StatusOptions } from './cutover/show-status.ts'

const SAYS: Readonly<Record<Action, string>> = {
  advance: 'take the next step now, without waiting for calls, time, window or a missing verdict',
  approve: 'let the next step be taken, where the plan wants an approval',
  pause: 'take no step until someone resumes; v1 keeps answering as many clients as now',
  resume: 'go on: after a pause where it was, after a stop at 0 %',
  stop: 'let the legacy service answer all clients at once, until someone resumes',
}

/** `legacy-gateway cutover [status|advance|approve|pause|resume|stop|audit] [OPERATION]` (docs/cutover.md). */
export function cutoverCommand(): Command {
  const cutover = askingCommand('cutover', 'show where each plan stands, and give orders about it')
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
  asking(cutover.command('plan'))
    .description('say what a rollout file would do now, per operation, without doing it')
    .argument('<file>', 'a rollout file')
    .option('--dry-run', 'do nothing; this is always so, since the gateway itself carries out its ROLLOUT_FILE')
    .addHelpText(
      'after',
      '\nOf plan: 0 serve would take the file, 1 it has mistakes, 2 it or the gateway could not be read.',
    )
    .action(async (file: string, options: AdminPortOptions) => {
      process.exitCode = await (await import('./cutover/plan-file.ts')).planFile(file, options)
    })
  return cutover
}

function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number.')
}

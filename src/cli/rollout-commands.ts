import type { Command } from 'commander'
import { ACTIONS, type Action } from '../control-plane/cutover/decide/order.ts'
import { asking, decisions, ordering, run, wholeNumber } from './command-options.ts'

// The commands about the rollout file and what it does: plans and brownouts.

const ORDERS: Readonly<Record<Action, string>> = {
  advance: 'take the next step now, without waiting for calls, time, a window or a missing verdict',
  approve: 'approve the next step, where the plan requires an approval',
  pause: 'take no step until someone resumes the plan; v1 keeps answering as many clients as now',
  resume: 'continue: after a pause, where the plan was; after a stop, at 0 %',
  stop: 'return all clients to the legacy service immediately, until someone resumes the plan',
}

/** `legacy-gateway cutover [status|advance|approve|pause|resume|stop|audit|plan]` (docs/cutover.md). */
export function addCutover(program: Command): void {
  // Without options of its own: they would take the place of those of the default subcommand.
  const cutover = program.command('cutover').description('show where each plan stands, and give it orders')
  asking(cutover.command('status', { isDefault: true }))
    .description('show where each plan stands, and what it waits for')
    .argument('[operation]', 'the id of an operation (default: all that have a plan)')
    .option('--json', 'print JSON')
    .action(run(() => import('./cutover-command.ts'), 'showStatus'))
  for (const action of ACTIONS) {
    ordering(asking(cutover.command(action)))
      .description(ORDERS[action])
      .argument('<operation>', 'the id of the operation')
      .option('--version <number>', 'refuse unless this is still the version that cutover status shows', wholeNumber)
      .option('--json', 'print JSON')
      .action(run(() => import('./cutover-command.ts'), 'giveOrder', action))
  }
  asking(cutover.command('audit'))
    .description('show what was decided, by whom and why; newest last')
    .option('--operation <id>', 'show this operation only; * shows what concerned all operations')
    .option('--limit <number>', 'the maximum number of decisions, up to 1000 (default: 100)', decisions)
    .option('--before <cursor>', 'show older decisions; the first line of the output gives the cursor')
    .option('--json', 'print JSON, newest first')
    .action(run(() => import('./cutover-command.ts'), 'showAudit'))
  asking(cutover.command('plan'), 'the file has mistakes', 'the file or the gateway could not be read')
    .description('show what a rollout file would do now, per operation, without doing it')
    .argument('<file>', 'a rollout file')
    .option('--dry-run', 'change nothing; always in effect, since only the gateway carries out its ROLLOUT_FILE')
    .action(run(() => import('./cutover-plan-command.ts'), 'planFile'))
}

/** `legacy-gateway brownouts [list|end]` (docs/brownouts.md). */
export function addBrownouts(program: Command): void {
  const brownouts = program
    .command('brownouts')
    .description('show the brownouts of the rollout file and the clients they affect, and end them')
  asking(brownouts.command('list', { isDefault: true }))
    .description('list the brownouts to come, under way and over, and how many clients each affects')
    .option('--json', 'print JSON, with every client')
    .action(run(() => import('./brownouts-command.ts'), 'listBrownouts'))
  ordering(asking(brownouts.command('end')))
    .description('end all brownouts that are under way, immediately')
    .option('--json', 'print JSON')
    .action(run(() => import('./brownouts-command.ts'), 'endBrownouts'))
}

/** `legacy-gateway rollout check FILE` (docs/cutover.md). */
export function addRollout(program: Command): void {
  program
    .command('rollout')
    .description('check a rollout file before it takes effect')
    .command('check')
    .description('show what a rollout file means, per operation, or list every mistake in it')
    .argument('<file>', 'a rollout file')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nReads V1_BASE_URL, LEGACY_BASE_URL, SERVE, STATE_DB and WEBHOOK_SECRET as serve does: they say who answers where the file does not, a plan\nneeds a legacy service and a state that survives a restart, and its gate a key that signs.\nExit codes: 0 serve would accept the file, 1 the file has mistakes, 2 it could not be read.',
    )
    .action(run(() => import('./rollout-command.ts'), 'checkRollout'))
}

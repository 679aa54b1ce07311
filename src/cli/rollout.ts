import { Command } from 'commander'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_RUN = 2

/** `legacy-gateway rollout check FILE` (docs/cutover.md). */
export function rolloutCommand(): Command {
  const exitCode = (parsed: { readonly exitCode: number }): never =>
    process.exit(parsed.exitCode === 0 ? 0 : COULD_NOT_RUN)
  const rollout = new Command('rollout')
    .description('check a rollout file before it takes effect')
    .showHelpAfterError(SEE_HELP)
    .exitOverride(exitCode)
  rollout
    .command('check')
    .description('show what a rollout file means, per operation, or list every mistake in it')
    .argument('<file>', 'a rollout file')
    .addHelpText(
      'after',
      '\nReads V1_BASE_URL, LEGACY_BASE_URL, SERVE and STATE_DB as serve does: they say who answers where the file does not, and a plan needs\na legacy service and a state that survives a restart.\nExit codes: 0 serve would accept the file, 1 the file has mistakes, 2 it could not be read.',
    )
    .showHelpAfterError(SEE_HELP)
    .exitOverride(exitCode)
    .action(async (file: string) => {
      const { checkRollout } = await import('./rollout/check-rollout.ts')
      process.exitCode = await checkRollout(file)
    })
  return rollout
}

import { Command } from 'commander'
import { withoutValues } from './comparing-command.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_ASK = 2

/**
 * Makes a command whose own commands ask a running gateway; they inherit how errors are told. It has no options: those of the command
 * that can be left out would be its own.
 */
export const askingCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_ASK))

/** Adds to one of them where the gateway is, and its exit codes. @param one what exit code 1 means. */
export const asking = (command: Command, one = 'refused'): Command =>
  command
    .option('--admin <url>', 'the admin port of the gateway (default: ADMIN_HOST, ADMIN_PORT)')
    .option('--token <token>', 'the token of the admin port (default: ADMIN_TOKEN)')
    .addHelpText('after', `\nExit codes: 0 done, 1 ${one}, 2 the gateway could not be asked.`)

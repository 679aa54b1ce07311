import { Command } from 'commander'
import { withoutValues } from './comparing-command.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_ASK = 2

/**
 * Creates a command whose subcommands ask a running gateway and inherit its error output. It has no options: they would take the
 * place of those of the default subcommand.
 */
export const askingCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_ASK))

/** Adds the options that say where the gateway is, and the exit codes. @param one, two what exit codes 1 and 2 mean. */
export const asking = (command: Command, one = 'refused', two = 'the gateway could not be asked'): Command =>
  command
    .option('--admin <url>', 'the admin port of the gateway (default: ADMIN_HOST, ADMIN_PORT)')
    .option('--token <token>', 'the token of the admin port (default: ADMIN_TOKEN)')
    .addHelpText('after', `\nExit codes: 0 done, 1 ${one}, 2 ${two}.`)

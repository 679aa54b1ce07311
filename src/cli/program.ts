import { Command, Option } from 'commander'
import { VERSION } from '../app/version.ts'
import type { explain } from './explain.ts'
import type { mappings } from './mappings.ts'
import { replayCommand } from './replay.ts'
import { SEE_HELP } from './see-help.ts'
import type { serve } from './serve.ts'

/** The command line. Each command loads what it needs, and nothing of the others. */
export function commandLine(): Command {
  const program = new Command('legacy-gateway')
    .description(
      'Serves the deprecated legacy interface on top of v1. Configured by environment variables; see docs/configuration.md.',
    )
    .version(VERSION)
    .showHelpAfterError(SEE_HELP)
  program
    .command('serve')
    .description('serve the legacy interface')
    .option(
      '--require-token-key',
      'do not start with LEGACY_BASE_URL and without TOKEN_KEY: a key of its own is lost with the process',
    )
    .action(async (...call: Parameters<typeof serve>) => (await import('./serve.ts')).serve(...call))
  program
    .command('sandbox')
    .description('run the service itself, both its interfaces, for trying and testing')
    .action(async () => (await import('./sandbox.ts')).sandbox())
  program
    .command('explain')
    .description('show the v1 call that a legacy call becomes, and what differs; nothing is sent')
    .usage('[options] METHOD PATH [BODY]\n       legacy-gateway explain [options] OPERATION [BODY]')
    .argument('<method>', 'of the legacy call; or the id of an operation, without a path')
    .argument('[path]', 'of the legacy call, with its query')
    .argument('[body]', 'of the legacy call; - reads it from standard input')
    .addOption(new Option('--language <language>', 'the Accept-Language of the call').choices(['en', 'tr']))
    .option('--all', 'show what differs of members that the call does not have, too, and of errors')
    .option('--json', 'print it as JSON, with all that differs')
    .action(async (...call: Parameters<typeof explain>) => (await import('./explain.ts')).explain(...call))
  program
    .command('mappings')
    .description('print what every legacy call is in v1, as Markdown')
    .option('--openapi', 'print the legacy interface as OpenAPI 3.1 instead, as JSON')
    .action(async (...call: Parameters<typeof mappings>) => (await import('./mappings.ts')).mappings(...call))
  program.addCommand(replayCommand())
  return program
}

import { Command, Option } from 'commander'
import { VERSION } from '../app/version.ts'
import { brownoutsCommand } from './brownouts.ts'
import { cutoverCommand } from './cutover.ts'
import { distilCommand } from './distil.ts'
import { dossierCommand } from './dossier.ts'
import type { explain } from './explain.ts'
import { guideCommand } from './guide.ts'
import type { mappings } from './mappings.ts'
import { probeCommand } from './probe.ts'
import { replayCommand } from './replay.ts'
import { rolloutCommand } from './rollout.ts'
import { SEE_HELP } from './see-help.ts'
import type { serve } from './serve.ts'

/** Builds the command line. Each command loads only the modules that it needs. */
export function commandLine(): Command {
  const program = new Command('legacy-gateway')
    .description(
      'Serves the deprecated legacy interface on top of v1. Configured by environment variables; see docs/configuration.md.',
    )
    .version(VERSION)
    // `--version` after a command belongs to that command.
    .enablePositionalOptions()
    .showHelpAfterError(SEE_HELP)
  program
    .command('serve')
    .description('serve the legacy interface')
    .option(
      '--require-token-key',
      'refuse to start if LEGACY_BASE_URL is set but TOKEN_KEY is not: a generated key is lost when the process ends',
    )
    .action(async (...call: Parameters<typeof serve>) => (await import('./serve.ts')).serve(...call))
  program
    .command('sandbox')
    .description('run a stand-in for the service, with both interfaces, for trials and tests')
    .action(async () => (await import('./sandbox.ts')).sandbox())
  program
    .command('explain')
    .description('show the v1 call that a legacy call becomes, and the differences; sends nothing')
    .usage('[options] METHOD PATH [BODY]\n       legacy-gateway explain [options] OPERATION [BODY]')
    .argument('<method>', 'method of the legacy call; or the id of an operation, without a path')
    .argument('[path]', 'path of the legacy call, with its query')
    .argument('[body]', 'body of the legacy call; - reads it from standard input')
    .addOption(new Option('--language <language>', 'Accept-Language of the legacy call').choices(['en', 'tr']))
    .option('--all', 'also show differences in errors, and in members that the call does not have')
    .option('--json', 'print JSON, with all differences')
    .action(async (...call: Parameters<typeof explain>) => (await import('./explain.ts')).explain(...call))
  program
    .command('mappings')
    .description('print how every legacy call maps to v1, as Markdown')
    .option('--openapi', 'print an OpenAPI 3.1 description of the legacy interface instead, as JSON')
    .addOption(
      new Option('--openapi-v1', 'print an OpenAPI 3.1 description of v1 instead, as JSON').conflicts('openapi'),
    )
    .addOption(
      new Option('--postman', 'print a Postman collection of the v1 calls instead, as JSON').conflicts([
        'openapi',
        'openapiV1',
      ]),
    )
    .action(async (...call: Parameters<typeof mappings>) => (await import('./mappings.ts')).mappings(...call))
  program
    .command('webhook')
    .description('send a test message to WEBHOOK_URL, and say how the receiver answered')
    .action(async () => (await import('./webhook.ts')).webhook())
  program.addCommand(replayCommand())
  program.addCommand(distilCommand())
  program.addCommand(dossierCommand())
  program.addCommand(probeCommand())
  program.addCommand(cutoverCommand())
  program.addCommand(brownoutsCommand())
  program.addCommand(rolloutCommand())
  program.addCommand(guideCommand())
  return program
}

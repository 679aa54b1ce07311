import { Command, Option } from 'commander'
import { VERSION } from '../app/version.ts'
import { GUIDE_PARAMETERS } from '../exchange/guide-form.ts'
import {
  ADMIN,
  asking,
  CORRECTIONS,
  collect,
  comparing,
  RECORDINGS,
  refusingWith2,
  run,
  untilDifference,
  withToken,
} from './command-options.ts'
import { SEE_HELP } from './printing.ts'
import { addBrownouts, addCutover, addRollout } from './rollout-commands.ts'

/** Builds the command line. Each command loads only the modules that it needs. */
export function commandLine(): Command {
  const program = refusingWith2(new Command('legacy-gateway'))
    .description(
      'Serves the deprecated legacy interface on top of v1. Configured by environment variables; see docs/configuration.md.',
    )
    .version(VERSION)
    // `--version` after a command belongs to that command.
    .enablePositionalOptions()
    .showHelpAfterError(SEE_HELP)
    .addHelpText('after', '\nEvery command exits with 2 if the command line is wrong.')
  program
    .command('serve')
    .description('serve the legacy interface')
    .option(
      '--require-token-key',
      'refuse to start if LEGACY_BASE_URL is set but TOKEN_KEY is not: a generated key is lost when the process ends',
    )
    .addHelpText('after', '\nExit codes: 0 stopped by a signal, 1 it could not start, or crashed.')
    .action(run(() => import('./serve-command.ts'), 'serve'))
  addConfig(program)
  program
    .command('sandbox')
    .description('run a stand-in for the service, with both interfaces, for trials and tests')
    .option(
      '--deviate <file>',
      'deviate from the contract so that this MAPPING_FILE is what the gateway needs (docs/sandbox.md)',
    )
    .addHelpText('after', '\nExit codes: 0 stopped by a signal, 1 it could not start.')
    .action(run(() => import('./sandbox-command.ts'), 'sandbox'))
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
    .addHelpText('after', '\nExit codes: 0 there is a v1 call, 1 there is none: the reason is on stderr.')
    .action(run(() => import('./explain-command.ts'), 'explain'))
  addMappings(program)
  program
    .command('webhook')
    .description('send a test message to WEBHOOK_URL, and say how the receiver answered')
    .addHelpText(
      'after',
      '\nExit codes: 0 the receiver accepted the message, 1 it did not, or WEBHOOK_URL cannot be used.',
    )
    .action(run(() => import('./webhook-command.ts'), 'webhook'))
  addReplay(program)
  addPropose(program)
  addDistil(program)
  addDossier(program)
  addProbe(program)
  addCutover(program)
  addBrownouts(program)
  addRollout(program)
  addGuide(program)
  return program
}

/** `legacy-gateway config` (docs/configuration.md). */
function addConfig(program: Command): void {
  program
    .command('config')
    .description('show the settings in force: their values without secrets, and where they come from')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nReads the variables that serve reads, and checks ROLLOUT_FILE and MAPPING_FILE. Opens nothing and calls nobody.\nExit codes: 0 serve would accept the settings, 2 it would not: all mistakes are listed.',
    )
    .action(run(() => import('./config-command.ts'), 'showConfig'))
}

/** `legacy-gateway mappings`, and `legacy-gateway mappings check|source FILE` (docs/corrections.md). */
function addMappings(program: Command): void {
  const mappings = program
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
    .addHelpText('after', '\nExit codes: 0 printed, 1 MAPPING_FILE or another variable cannot be used.')
    .action(run(() => import('./mappings-command.ts'), 'mappings'))
  mappings
    .command('check')
    .description('show what each line of a MAPPING_FILE changes, or list every mistake in it')
    .argument('<file>', CORRECTIONS)
    .addHelpText(
      'after',
      '\nExit codes: 0 serve would accept the file, 1 the file has mistakes, 2 it could not be read.',
    )
    .action(run(() => import('./corrections-command.ts'), 'checkMappings'))
  mappings
    .command('source')
    .description('print a MAPPING_FILE as lines of the mapping files, in TypeScript')
    .argument('<file>', CORRECTIONS)
    .addHelpText('after', '\nExit codes: 0 printed, 1 the file has mistakes, 2 it could not be read.')
    .action(run(() => import('./corrections-command.ts'), 'printSource'))
}

/** `legacy-gateway replay FILE…` (docs/decisions/0047). */
function addReplay(program: Command): void {
  untilDifference(comparing(program, 'replay'))
    .description('replay recordings against the legacy service and v1, merged by time, and compare their answers')
    .argument('<file...>', RECORDINGS)
    .option(
      '--recorded',
      'ask v1 alone, and compare it with the answers in the recordings; needs no legacy service, and sends no write',
    )
    .option('--operation <id>', 'replay this operation only; may be given several times', collect)
    .option('--include-writes', 'also send writes, once to each side; both sides must be copies of the services')
    .option(
      '--these-are-copies',
      'both services are copies, and may be written to (needed unless both are on this machine)',
    )
    .option('--mapping <file>', 'compare by this MAPPING_FILE, and say what it changes beside the one in force')
    .addHelpText(
      'after',
      '\nExit codes: 0 every compared operation is ready, 1 an exchange mismatched or failed, 2 the replay could not run, 3 not enough data.',
    )
    .action(run(() => import('./replay-command.ts'), 'replay'))
}

/** `legacy-gateway propose [RECORDING…]` (docs/corrections.md). */
function addPropose(program: Command): void {
  const propose = comparing(program, 'propose')
    .description(
      'show which lines would correct the mappings, from recordings that are replayed or from a running gateway',
    )
    .argument('[recording...]', RECORDINGS)
    .option('--admin <url>', 'ask the admin port of a running gateway for what it found, in place of replaying')
  withToken(propose)
    .option('--out <file>', 'write the certain lines to this MAPPING_FILE, beside what it holds')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 each difference that counts has a certain line, 3 some have none, 2 propose could not run.',
    )
    .action(run(() => import('./propose-command.ts'), 'propose'))
}

/** `legacy-gateway distil FILE… --out DIR` (docs/clients.md). */
function addDistil(program: Command): void {
  program
    .command('distil')
    .description('reduce recordings to the fewest exchanges with the same coverage; calls no service')
    .argument('<file...>', RECORDINGS)
    .requiredOption('--out <directory>', 'where to write recording.ndjson, recording.har, cases/ and distil.json')
    .option('--max <number>', 'keep at most this many exchanges: those that cover the most')
    .option('--operation <id>', 'only exchanges of this operation; may be given several times', collect)
    .option('--force', 'replace what distil wrote to that directory before')
    .addHelpText('after', '\nExit codes: 0 done, 2 distil could not run.')
    .action(run(() => import('./distil-command.ts'), 'distil'))
}

/** `legacy-gateway dossier`, and `legacy-gateway dossier verify FILE` (docs/dossier.md). */
function addDossier(program: Command): void {
  const dossier = withToken(program.command('dossier').option('--admin <url>', ADMIN))
    .description('write what is proven for each operation as one printable page, and sign it')
    .option('--out <file>', 'the page; its JSON form is written beside it', 'dossier.html')
    .addHelpText(
      'after',
      '\nAsks the running gateway. If none answers and STATE_DB is set, reads STATE_DB and ROLLOUT_FILE instead.\nSigns with the key in the PEM file that DOSSIER_KEY names. Exit codes: 0 written, 2 the dossier could not be written.',
    )
    .action(run(() => import('./dossier-command.ts'), 'makeDossier'))
  dossier
    .command('verify')
    .description('check that a dossier is unchanged since it was signed')
    .argument('<file>', 'the JSON file of a dossier')
    .requiredOption('--key <file>', 'the public key of the signer, a PEM file')
    .addHelpText(
      'after',
      '\nExit codes: 0 the dossier is unchanged since it was signed, 1 it is refused, 2 a file could not be read.',
    )
    .action(run(() => import('./dossier-command.ts'), 'verifyDossier'))
}

/** `legacy-gateway probe` (docs/comparing.md). */
function addProbe(program: Command): void {
  untilDifference(comparing(program, 'probe'))
    .description('send both services reads and calculations that no client has sent yet, and compare the answers')
    .option('--budget <number>', 'the maximum number of calls to each side', '300')
    .option('--operation <id>', 'probe this operation only; may be given several times', collect)
    .addHelpText(
      'after',
      '\nExit codes: 1 an exchange mismatched or failed, 2 the probe could not run, 3 nothing differed. Made-up requests make no operation ready, so the exit code is 0 only with --until-difference.',
    )
    .action(run(() => import('./probe-command.ts'), 'probe'))
}

/** `legacy-gateway guide CLIENT` (docs/clients.md "The guide of one client"). */
function addGuide(program: Command): void {
  asking(program.command('guide'), 'the client is not known')
    .description('show what one client must change to call v1, based on what it really sent')
    .argument('<client>', 'the name under which the client is counted')
    .addOption(new Option('--format <format>', 'the format of the guide').choices(['md', 'html', 'json']).default('md'))
    .addOption(
      new Option('--snippets <language>', 'the language of the programs; HTML has all, and shows this one first')
        .choices(GUIDE_PARAMETERS.snippets)
        .default('curl'),
    )
    .action(run(() => import('./guide-command.ts'), 'guide'))
}

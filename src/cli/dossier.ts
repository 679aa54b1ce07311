import { Command } from 'commander'
import type { DossierOptions } from './dossier/make-dossier.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_RUN = 2

/** `legacy-gateway dossier`, and `legacy-gateway dossier verify FILE` (docs/decisions/0068). */
export function dossierCommand(): Command {
  const exitCode = (parsed: { readonly exitCode: number }): never =>
    process.exit(parsed.exitCode === 0 ? 0 : COULD_NOT_RUN)
  const dossier = new Command('dossier')
    .description('write what is proven for each operation as one printable page, and sign it')
    .option('--out <file>', 'the page; its JSON form is written beside it', 'dossier.html')
    .option('--admin <url>', 'the admin port of the gateway (default: ADMIN_HOST, ADMIN_PORT)')
    .option('--token <token>', 'the token of the admin port (default: ADMIN_TOKEN)')
    .addHelpText(
      'after',
      '\nAsks the running gateway. If none answers and STATE_DB is set, reads STATE_DB and ROLLOUT_FILE instead.\nSigns with the key in the PEM file that DOSSIER_KEY names. Exit codes: 0 written, 2 the dossier could not be written.',
    )
    .showHelpAfterError(SEE_HELP)
    .exitOverride(exitCode)
    .action(async (options: DossierOptions) => {
      const { makeDossier } = await import('./dossier/make-dossier.ts')
      process.exitCode = await makeDossier(options)
    })
  dossier
    .command('verify')
    .description('check that a dossier is unchanged since it was signed')
    .argument('<file>', 'the JSON file of a dossier')
    .requiredOption('--key <file>', 'the public key of the signer, a PEM file')
    .addHelpText(
      'after',
      '\nExit codes: 0 the dossier is unchanged since it was signed, 1 it is refused, 2 a file could not be read.',
    )
    .showHelpAfterError(SEE_HELP)
    .exitOverride(exitCode)
    .action(async (file: string, { key }: { readonly key: string }) => {
      const { verifyDossier } = await import('./dossier/verify-dossier.ts')
      process.exitCode = await verifyDossier(file, key)
    })
  return dossier
}

import { Command } from 'commander'
import { withoutValues } from './comparing-command.ts'
import type { DistilOptions } from './distil/distil-files.ts'
import { SEE_HELP } from './see-help.ts'

const COULD_NOT_RUN = 2

/** `legacy-gateway distil FILE… --out DIR` (docs/clients.md). */
export function distilCommand(): Command {
  return new Command('distil')
    .description('reduce recordings to the fewest exchanges with the same coverage; calls no service')
    .argument(
      '<file...>',
      'recordings (NDJSON), HAR files or Postman collections 2.1, gzipped or not; or directories of them',
    )
    .requiredOption('--out <directory>', 'where to write recording.ndjson, recording.har, cases/ and distil.json')
    .option('--max <number>', 'keep at most this many exchanges: those that cover the most')
    .option('--operation <id>', 'only exchanges of this operation; may be given several times', collect)
    .option('--force', 'replace what distil wrote to that directory before')
    .addHelpText('after', '\nExit codes: 0 done, 2 distil could not run.')
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError(SEE_HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : COULD_NOT_RUN))
    .action(async (files: string[], options: DistilOptions) => {
      const { distilFiles } = await import('./distil/distil-files.ts')
      process.exitCode = await distilFiles(files, options)
    })
}

const collect = (id: string, before: readonly string[] = []): readonly string[] => [...before, id]

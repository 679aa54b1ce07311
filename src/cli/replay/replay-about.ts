import type { ReplaySettings } from '../../app/build-replay.ts'
import { VERSION } from '../../app/version.ts'
import type { Replayed } from '../../compare/report/report-json.ts'

import type { Source } from './compare-sides.ts'

type Told = Pick<
  ReplaySettings,
  'legacyUrl' | 'v1Url' | 'repeatControl' | 'confirm' | 'includeWrites' | 'target' | 'concurrency' | 'rate'
>

/**
 * Returns what the reports say about the run: files, sides, options and version, without tokens and accounts. `file` is
 * undefined if the requests are made up.
 */
export function aboutReplay({ file, files }: Pick<Source, 'file' | 'files'>, settings: Told): Replayed {
  const { legacyUrl, v1Url, repeatControl, confirm, includeWrites, target, concurrency, rate } = settings
  return {
    file: file ?? null,
    ...(files === undefined ? {} : { files }),
    legacy: shown(legacyUrl),
    v1: shown(v1Url),
    options: [
      ...(repeatControl ? ['--repeat-control'] : []),
      ...(confirm ? [] : ['--no-confirm']),
      ...(includeWrites ? ['--include-writes'] : []),
      ...(target === undefined ? [] : [`--target ${target}`]),
      `--concurrency ${concurrency}`,
      ...(rate === undefined ? [] : [`--rate ${rate}`]),
    ],
    gateway: VERSION,
  }
}

/** Returns a URL to show: without a trailing slash and without credentials. */
export const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/\/$/, '')

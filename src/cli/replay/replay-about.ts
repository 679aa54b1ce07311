import type { ReplaySettings } from '../../app/build-replay.ts'
import { VERSION } from '../../app/version.ts'
import type { Replayed } from '../../compare/report/report-json.ts'

import type { Source } from './compare-sides.ts'

type Told = Pick<
  ReplaySettings,
  'legacyUrl' | 'v1Url' | 'repeatControl' | 'confirm' | 'includeWrites' | 'target' | 'concurrency' | 'rate'
>

/**
 * Tells what is replayed, for the reports. Tokens and accounts are left out.
 * @param recording its `file` is undefined where the requests are made up.
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

/** A URL as it was written, without the trailing slash and without credentials. */
export const shown = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/\/$/, '')

import type { ReplaySettings } from '../../app/build-replay.ts'
import { VERSION } from '../../app/version.ts'
import type { Replayed } from '../../compare/report/report-json.ts'

type Told = Pick<
  ReplaySettings,
  'legacyUrl' | 'v1Url' | 'repeatControl' | 'confirm' | 'includeWrites' | 'target' | 'concurrency' | 'rate'
>

/**
 * Tells what is replayed, for the reports. Tokens and accounts are left out.
 * @param file undefined: the requests are made up.
 */
export function aboutReplay(file: string | undefined, settings: Told): Replayed {
  const { legacyUrl, v1Url, repeatControl, confirm, includeWrites, target, concurrency, rate } = settings
  return {
    file: file ?? null,
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

import type { ReplaySettings } from '../../app/build-replay.ts'
import type { Report } from '../../compare/report/report-json.ts'
import { plural } from '../../compare/report/report-words.ts'

const SIDES = [
  { name: 'The legacy service', reason: 'control: 401', option: '--legacy-token' },
  { name: 'v1', reason: 'candidate: 401', option: '--v1-token' },
] as const

/**
 * Returns advice for each side that answered with 401: which options are missing, or that the side refused its token
 * for every exchange. Gives no advice if a token was sent and only some calls were refused.
 */
export function adviceOnTokens(report: Report, credentials: ReplaySettings['credentials']): readonly string[] {
  const asked = report.totals.requests - report.totals.skipped
  const tokens = 'clientId' in credentials ? undefined : [credentials.legacyToken, credentials.v1Token]
  return SIDES.flatMap(({ name, reason, option }, side) => {
    const refused = timesOf(report, reason)
    if (refused === 0) return []
    const what = `${name} answered ${refused} of ${plural(asked, 'exchange')} with 401`
    if (tokens?.every((token) => token === undefined)) return [`${what}: no token was sent. Give ${BOTH}.`]
    if (tokens !== undefined && tokens[side] === undefined)
      return [`${what}: no token was sent. Give ${option} as well.`]
    return refused === asked ? [`${what}: it refuses the token, which may be wrong or have expired.`] : []
  })
}

const BOTH = '--client-id and --secret-key, or --legacy-token and --v1-token'

function timesOf({ operations }: Report, reason: string): number {
  return operations
    .flatMap(({ uncompared }) => uncompared)
    .filter((one) => one.outcome === 'failed' && one.reason === reason)
    .reduce((times, { requests }) => times + requests, 0)
}

import type { ReplaySettings } from '../../app/build-replay.ts'
import { counted } from '../../common/figures.ts'
import { bothRefused } from '../../compare/observe-exchange.ts'
import type { Report } from '../../compare/report/report-json.ts'

/** The sides, in the order of a change of status: `200 → 401`. */
const SIDES = [
  { name: 'The legacy service', option: '--legacy-token' },
  { name: 'v1', option: '--v1-token' },
] as const

/**
 * Returns advice for each side that answered with 401: which options are missing, or that the side refused its token for every
 * exchange, or for some of an operation together with the other side. Gives no other advice if a token was sent and only some calls were refused.
 */
export function adviceOnTokens(report: Report, credentials: ReplaySettings['credentials']): readonly string[] {
  const refusedByBoth = timesOf(report, bothRefused(401))
  const asked = report.totals.requests - report.totals.skipped + refusedByBoth
  const tokens = 'clientId' in credentials ? undefined : [credentials.legacyToken, credentials.v1Token]
  return SIDES.flatMap(({ name, option }, side) => {
    const refused = refusedByBoth + refusedAlone(report, side)
    if (refused === 0) return []
    const what = `${name} answered ${refused} of ${counted(asked, 'exchange')} with 401`
    if (tokens?.every((token) => token === undefined)) return [`${what}: no token was sent. Give ${BOTH}.`]
    if (tokens !== undefined && tokens[side] === undefined)
      return [`${what}: no token was sent. Give ${option} as well.`]
    if (refused === asked) return [`${what}: it refuses the token, which may be wrong or have expired.`]
    if (!wasAccepted(report)) return []
    return [
      tokens === undefined
        ? `${what}: it refuses the token, also after another login.`
        : `${what}: the token may have expired. With --client-id and --secret-key, replay logs in again.`,
    ]
  })
}

/** Whether calls of an operation were refused by both sides while others of it were answered: then a token has expired. */
const wasAccepted = ({ operations }: Report): boolean =>
  operations.some(({ account: { compared, unjudged } }) => compared > 0 && unjudged[bothRefused(401)] !== undefined)

const BOTH = '--client-id and --secret-key, or --legacy-token and --v1-token'

function timesOf({ operations }: Report, reason: string): number {
  return operations
    .flatMap(({ uncompared }) => uncompared)
    .filter((one) => one.reason === reason)
    .reduce((times, { requests }) => times + requests, 0)
}

/** How often one side answered with 401 and the other did not. */
function refusedAlone({ operations }: Report, side: number): number {
  return operations
    .flatMap(({ differences }) => differences)
    .filter(({ kind }) => kind === 'status')
    .flatMap(({ details }) => Object.entries(details ?? {}))
    .reduce((times, [change, count]) => times + (change.split(' → ')[side] === '401' ? count : 0), 0)
}

import { setTimeout } from 'node:timers/promises'
import { repeatableOf } from '../control-plane/evidence/comparable.ts'
import { type Expectations, expectationsOf } from '../control-plane/evidence/expected/expectations.ts'
import type { Outcome } from '../control-plane/evidence/observation.ts'
import { liveProposals } from '../control-plane/evidence/proposals/live-proposals.ts'
import type { ProposalsReport } from '../control-plane/evidence/proposals/proposals.ts'
import { saidAgainstRecorded } from '../control-plane/evidence/report/recorded-answers.ts'
import type { Report } from '../control-plane/evidence/report/report-json.ts'
import { judgeOverall } from '../control-plane/evidence/tally/verdict.ts'
import { type Given, givenBook, usedGiven } from '../control-plane/evidence/writes/given-values.ts'
import { demandsOf } from '../control-plane/rollout/operation-rollout.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import { shipped } from '../data-plane/gateway/load-mappings.ts'
import { legacySide, v1Side } from '../data-plane/gateway/sides.ts'
import { SlowDown } from '../data-plane/upstream/slow-down.ts'
import { openUpstream } from '../data-plane/upstream/upstream.ts'
import { givenRewriter } from '../engine/rewrite-given.ts'
import type { AskSide } from '../exchange/exchange.ts'
import type { Purpose } from '../exchange/purpose.ts'
import { redactor } from '../exchange/redactor.ts'
import { explain } from '../guide/lines/explain.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'
import type { BadEntry, RecordedExchange } from '../recordings/recorded-exchange.ts'
import { countByType } from '../recordings/replay/against-recording.ts'
import { changeOf, type MappingChange } from '../recordings/replay/mapping-change.ts'
import { type Ask, type ProbeListener, pacer, planOf, ReplayError, replay } from '../recordings/replay/replay.ts'
import { type Account, logIn, type Renewing, renewing } from '../recordings/replay/replay-login.ts'
import { replayResults } from '../recordings/replay/replay-results.ts'
import { linesToTry } from '../workers/try-lines.ts'
import { buildTranslation, liveLists, type TranslationSettings } from './build-translation.ts'
import { buildSideCheck, reportingGateways } from './check-sides.ts'
import type { Config } from './config.ts'
import { connectingTo } from './connect-services.ts'
import { findMapping, prefixesOf } from './find-mapping.ts'
import { replayInForce } from './replay-in-force.ts'

export interface ReplaySettings {
  /** Undefined: the recorded answers are compared, and the legacy service is not asked. */
  readonly legacyUrl: URL | undefined
  /** The keys under which personal values may have been replaced in recordings. Recorded answers need them. */
  readonly tokenKeys: readonly Uint8Array[]
  /** What the services are told that the calls are for. */
  readonly purpose: Purpose
  readonly v1Url: URL
  /** The account to log in to both sides with, or a token for each side; undefined: none is sent. */
  readonly credentials: Account | { readonly legacyToken: string | undefined; readonly v1Token: string | undefined }
  readonly repeatControl: boolean
  readonly confirm: boolean
  readonly includeWrites: boolean
  /** The operations to replay and to judge; undefined: all. */
  readonly only?: readonly string[] | undefined
  /** Undefined: the rollout file's. */
  readonly target: number | undefined
  readonly concurrency: number
  /** The maximum number of exchanges per second; undefined: as many as the sides answer. */
  readonly rate: number | undefined
}

/**
 * Replays entries until they end or the signal aborts.
 * @param onOutcome called after each exchange.
 * @param probe made the entries, and learns of the answers; unset: the entries are a recording's.
 * @throws ReplayError if a service turns out not to be the configured one.
 */
export type RunReplay = (
  entries: AsyncIterable<RecordedExchange | BadEntry>,
  onOutcome: (outcome: Outcome) => void,
  signal: AbortSignal,
  probe?: ProbeListener,
) => Promise<ReplayResult>

/** What a replay found out. */
export interface ReplayResult extends Pick<Report, 'operations' | 'overall' | 'unjudgedLimit' | 'recorded'> {
  /** Which sides could not be logged in to again, and why. */
  readonly problems: readonly string[]
  /** What would correct the mappings. */
  readonly proposals: ProposalsReport
  /** How the differences change with mappings that are tried; unset: none are. */
  readonly change?: MappingChange
}

interface BuiltReplay {
  /**
   * Logs in to both sides, if there is an account.
   * @throws ReplayError if a side refuses the login, or is not the configured service.
   */
  logIn(): Promise<RunReplay>
  /** Closes the connections to both sides, which ends all calls that are still running. */
  close(): Promise<void>
}

/** Of a larger answer of v1, nothing is learned. */
const MOST_LEARNED_BYTES = 2 * 1024 * 1024

/** Each call to v1 has its own time-out. An answer that takes many calls has none: a client would wait for it too. */
const NO_DEADLINE_MS = 2_147_483_647

/**
 * Builds a replay: legacy, or what is recorded of it, is the control; v1 behind a gateway of its own is the candidate. Asks nothing yet.
 * @param mappings the mappings to compare by.
 * @param inForce those in force, if `mappings` are tried: what differs by them is compared too. Undefined: `mappings` are in force.
 * @throws MappingError if a mapping is invalid.
 */
export function buildReplay(
  config: TranslationSettings & Partial<Pick<Config, 'legacyBaseUrl'>>,
  settings: ReplaySettings,
  rollout: Rollout,
  mappings: readonly Operation[],
  inForce?: readonly Operation[],
): BuiltReplay {
  const { legacyUrl, v1Url, tokenKeys, credentials, repeatControl, confirm, includeWrites } = settings
  const { only, target, concurrency, rate, purpose } = settings
  const { upstreamTimeoutMs: timeoutMs, basePath } = config
  const translation = buildTranslation(config, v1Url, undefined, mappings)
  const operations = translation.operations.now()
  // Both sides are asked live. None of v1's lists is cached, which also bounds the memory.
  const lists = liveLists()
  const legacy = legacyUrl && {
    url: legacyUrl,
    upstream: openUpstream({
      baseUrl: legacyUrl,
      connecting: connectingTo('legacy', legacyUrl, config.connecting),
      timeoutMs,
    }),
  }
  const againstRecorded = legacy === undefined
  const find = translation.operations.findAtLegacy
  /** Aborted, with the reason, when a service turns out not to be the configured one. */
  const wrongService = new AbortController()
  const sides = {
    legacy:
      legacy &&
      legacySide(
        reportingGateways(legacy.upstream, legacy.url, (error) => wrongService.abort(error)),
        { releaseHeader: config.releaseHeaders.legacy, baseUrl: legacy.url },
      ),
    v1: v1Side({ ...translation.gateway, lists }, find, { mostV1Bytes: MOST_LEARNED_BYTES }),
  }
  const expectations = new Map(
    mappings.map((mapping) => [mapping.id, expectationsOf(mapping, explain(mapping), rollout.rules)]),
  )
  const now = inForce && replayInForce(config, settings, rollout, mappings, inForce)
  const comparable = repeatableOf(mappings, includeWrites).filter((id) => only?.includes(id) !== false)
  const books = includeWrites ? givenByOperation(mappings) : undefined
  const results = replayResults({
    expectations,
    // A comparison made now is fresh, however old the recording is.
    demandsOf(operation) {
      const { require, ...demands } = demandsOf(rollout, operation, Date.now)
      return {
        ...{ ...demands, fresh: undefined, sendsWrites: includeWrites, ...(target !== undefined && { target }) },
        // How long the legacy service took is not recorded.
        require: againstRecorded ? { ...require, slowdown: undefined } : require,
      }
    },
  })
  const mappingOf = new Map(mappings.map((mapping) => [mapping.id, mapping]))
  const proposals = liveProposals({
    existing: (id) => mappingOf.get(id)?.corrections,
    mappingOf: (id) => expectations.get(id)?.mapping ?? '',
    now: () => performance.timeOrigin + performance.now(),
  })
  const tries = oncePer((corrections: Corrections) => linesToTry(shipped, corrections, () => rollout.rules))
  const login = operations.find(({ mapping }) => mapping.login !== undefined)?.mapping
  const plan = {
    find: findMapping(find),
    prefixes: prefixesOf(basePath, legacyUrl ?? config.legacyBaseUrl),
    includeWrites,
    only,
  }

  const upstreams = {
    legacy,
    v1: { upstream: translation.gateway.v1, url: v1Url },
  }
  const sideCheck = buildSideCheck(operations, upstreams, purpose, timeoutMs, (error) => wrongService.abort(error))

  const close = async (): Promise<void> => {
    lists.close()
    await Promise.all([legacy?.upstream.close(), translation.close(), now?.close()])
  }

  const redactors = new Map(tokenKeys.map(redactor).map((one) => [one.key, one]))
  const byType = countByType()
  const account = 'clientId' in credentials ? credentials.clientId : undefined
  const tokens = 'clientId' in credentials ? undefined : credentials
  const renewals: Renewing[] = []
  /** A service asked to be left alone until then, in ms of `performance.now()`. */
  let resumeAt = 0
  /** Returns how to ask a side with its token. If there is an account, logs in for the token, and again when it has expired. */
  async function asker(askSide: AskSide, name: string, token: string | undefined, waitMs: number): Promise<Ask> {
    const withToken =
      (authorization: string | undefined): Ask =>
      (request) =>
        askSide(request, authorization, waitMs, purpose).catch((error: unknown) => {
          if (error instanceof SlowDown) resumeAt = Math.max(resumeAt, performance.now() + error.milliseconds)
          throw error
        })
    const bearing = (token: string): Ask => withToken(`Bearer ${token}`)
    if (!('clientId' in credentials) || login === undefined) {
      return sideCheck.watched(token === undefined ? withToken(undefined) : bearing(token))
    }
    const getToken = () => logIn(withToken(undefined), login, credentials, name)
    const side = renewing(bearing, await getToken(), getToken)
    renewals.push(side)
    return sideCheck.watched(side.ask)
  }

  async function askers(): Promise<{ readonly control: Ask; readonly candidate: Ask; readonly now: Ask | undefined }> {
    const control =
      sides.legacy === undefined
        ? notAsked
        : await asker(sides.legacy, 'the legacy service', tokens?.legacyToken, timeoutMs)
    const ofV1 = (side: AskSide): Promise<Ask> => asker(side, 'v1', tokens?.v1Token, NO_DEADLINE_MS)
    return { control, candidate: await ofV1(sides.v1), now: now && (await ofV1(now.side)) }
  }

  return {
    async logIn() {
      const ask = await askers().catch(async (error: unknown) => {
        wrongService.signal.throwIfAborted()
        await sideCheck.check()
        throw error
      })
      return async (entries, onOutcome, signal, probe) => {
        // Ends running calls at once.
        signal.addEventListener('abort', () => void close(), { once: true })
        const either = AbortSignal.any([signal, wrongService.signal])
        const sleep = (milliseconds: number): Promise<void> =>
          setTimeout(milliseconds, undefined, { signal: either }).catch(() => undefined)
        const atRate = pacer(rate, { now: () => performance.now(), sleep })
        await replay(entries, {
          planOf: (exchange) => planOf(plan, exchange),
          askControl: ask.control,
          askCandidate: ask.candidate,
          inForce: now && ask.now && now.compareBy(ask.now),
          expectations: (operation) => expectations.get(operation) as Expectations,
          learning: (operation) => ({
            learning: proposals.learningOf(operation),
            trial: tries(proposals.toTry())(operation),
          }),
          recorded: againstRecorded ? { redactors, account, comparedByType: byType.add } : undefined,
          given: books && ((operation) => books.get(operation) as Given),
          repeatControl,
          confirm,
          concurrency,
          async pace() {
            await atRate()
            await sleep(Math.max(resumeAt - performance.now(), 0))
          },
          record(result) {
            results.record(result)
            proposals.note(result)
            onOutcome(result.outcome)
          },
          probe,
          signal: either,
        })
        if (wrongService.signal.aborted) throw wrongService.signal.reason
        const reports = results.snapshot()
        const judged = { operations: reports, overall: judgeOverall(reports, comparable, rollout.confidence) }
        return {
          ...(againstRecorded ? saidAgainstRecorded(judged, byType.sums()) : judged),
          unjudgedLimit: rollout.unjudged,
          problems: renewals.flatMap((side) => side.problem() ?? []),
          proposals: proposals.report(),
          ...(now && { change: changeOf(now.snapshot(), reports, now.isChanged) }),
        }
      }
    },
    close,
  }
}

/** There is no legacy service to ask. */
const notAsked: Ask = () => Promise.reject(new ReplayError('the legacy service is not asked'))

/** Opens, for each operation, the book of the values that two copies of the service give out. */
function givenByOperation(mappings: readonly Operation[]): ReadonlyMap<string, Given> {
  const book = givenBook(usedGiven(mappings))
  return new Map(
    mappings.map((mapping) => {
      const rewriter = givenRewriter(mapping)
      return [
        mapping.id,
        book({
          isWrite: mapping.effect === 'write',
          response: mapping.response,
          rewrite: rewriter && ((request, lookUp) => ({ ...request, ...rewriter(request, lookUp) })),
        }),
      ]
    }),
  )
}

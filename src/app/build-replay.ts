import { setTimeout } from 'node:timers/promises'
import { comparableOf } from '../control-plane/evidence/comparable.ts'
import { type Expectations, expectationsOf } from '../control-plane/evidence/expected/expectations.ts'
import type { Outcome } from '../control-plane/evidence/observation.ts'
import type { Report } from '../control-plane/evidence/report/report-json.ts'
import { judgeOverall } from '../control-plane/evidence/tally/verdict.ts'
import { demandsOf } from '../control-plane/rollout/operation-rollout.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import { legacySide, v1Side } from '../data-plane/gateway/sides.ts'
import { isGatewayAnswer } from '../data-plane/gateway/standard-headers.ts'
import { openUpstream, type Upstream } from '../data-plane/upstream/upstream.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { givenRewriter } from '../engine/rewrite-given.ts'
import type { AskSide } from '../exchange/exchange.ts'
import { explain } from '../guide/lines/explain.ts'
import type { Operation } from '../mapping/operation.ts'
import type { BadEntry, RecordedExchange } from '../recordings/recorded-exchange.ts'
import { type Given, givenBook, usedGiven } from '../recordings/replay/given-values.ts'
import { type Ask, type ProbeListener, pacer, planOf, ReplayError, replay } from '../recordings/replay/replay.ts'
import { type Account, logIn, type Renewing, renewing } from '../recordings/replay/replay-login.ts'
import { replayResults } from '../recordings/replay/replay-results.ts'
import { type SideCheck, type SideToCheck, sideCheck } from '../recordings/replay/replay-sides.ts'
import { buildTranslation, liveLists, type TranslationSettings } from './build-translation.ts'
import { connectingTo } from './connect-services.ts'
import { findMapping, prefixesOf } from './find-mapping.ts'

export interface ReplaySettings {
  readonly legacyUrl: URL
  readonly v1Url: URL
  /** The account to log in to both sides with, or a token for each side; undefined: none is sent. */
  readonly credentials: Account | { readonly legacyToken: string | undefined; readonly v1Token: string | undefined }
  readonly repeatControl: boolean
  readonly confirm: boolean
  readonly includeWrites: boolean
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
export interface ReplayResult extends Pick<Report, 'operations' | 'overall' | 'unjudgedLimit'> {
  /** Which sides could not be logged in to again, and why. */
  readonly problems: readonly string[]
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

/** Each call to v1 has its own time-out. An answer that takes many calls has none: a client would wait for it too. */
const NO_DEADLINE_MS = 2_147_483_647

/**
 * Builds a replay: legacy is the control, v1 behind a gateway of its own is the candidate. Asks nothing yet.
 * @param mappings the mappings to compare by.
 * @throws MappingError if a mapping is invalid.
 */
export function buildReplay(
  config: TranslationSettings,
  settings: ReplaySettings,
  rollout: Rollout,
  mappings: readonly Operation[],
): BuiltReplay {
  const { legacyUrl, v1Url, credentials, repeatControl, confirm, includeWrites, target, concurrency, rate } = settings
  const { upstreamTimeoutMs: timeoutMs, basePath } = config
  const translation = buildTranslation(config, v1Url, undefined, mappings)
  const operations = translation.operations.now()
  // Both sides are asked live. None of v1's lists is cached, which also bounds the memory.
  const lists = liveLists()
  const legacy = openUpstream({
    baseUrl: legacyUrl,
    connecting: connectingTo('legacy', legacyUrl, config.connecting),
    timeoutMs,
  })
  const find = translation.operations.findAtLegacy
  /** Aborted, with the reason, when a service turns out not to be the configured one. */
  const wrongService = new AbortController()
  const sides = {
    legacy: legacySide(
      reportingGateways(legacy, legacyUrl, (error) => wrongService.abort(error)),
      { releaseHeader: config.releaseHeaders.legacy, baseUrl: legacyUrl },
    ),
    v1: v1Side({ ...translation.gateway, lists }, find),
  }
  const expectations = new Map(
    mappings.map((mapping) => [mapping.id, expectationsOf(mapping, explain(mapping), rollout.ignore)]),
  )
  const comparable = comparableOf(mappings, includeWrites)
  const books = includeWrites ? givenByOperation(mappings) : undefined
  const results = replayResults({
    expectations,
    // A comparison made now is fresh, however old the recording is.
    demandsOf: (operation) => ({
      ...demandsOf(rollout, operation, Date.now),
      ...{ fresh: undefined, sendsWrites: includeWrites, ...(target !== undefined && { target }) },
    }),
  })
  const login = operations.find(({ mapping }) => mapping.login !== undefined)?.mapping
  const plan = { find: findMapping(find), prefixes: prefixesOf(basePath, legacyUrl), includeWrites }

  const upstreams = {
    legacy: { upstream: legacy, url: legacyUrl },
    v1: { upstream: translation.gateway.v1, url: v1Url },
  }
  const sideCheck = buildSideCheck(operations, upstreams, timeoutMs, (error) => wrongService.abort(error))

  const close = async (): Promise<void> => {
    lists.close()
    await Promise.all([legacy.close(), translation.close()])
  }

  const tokens = 'clientId' in credentials ? undefined : credentials
  const renewals: Renewing[] = []
  /** Returns how to ask a side with its token. If there is an account, logs in for the token, and again when it has expired. */
  async function asker(askSide: AskSide, name: string, token: string | undefined, waitMs: number): Promise<Ask> {
    const withToken =
      (authorization: string | undefined): Ask =>
      (request) =>
        askSide(request, authorization, waitMs)
    const bearing = (token: string): Ask => withToken(`Bearer ${token}`)
    if (!('clientId' in credentials) || login === undefined) {
      return sideCheck.watched(token === undefined ? withToken(undefined) : bearing(token))
    }
    const getToken = () => logIn(withToken(undefined), login, credentials, name)
    const side = renewing(bearing, await getToken(), getToken)
    renewals.push(side)
    return sideCheck.watched(side.ask)
  }

  async function askers(): Promise<readonly [control: Ask, candidate: Ask]> {
    const askControl = await asker(sides.legacy, 'the legacy service', tokens?.legacyToken, timeoutMs)
    return [askControl, await asker(sides.v1, 'v1', tokens?.v1Token, NO_DEADLINE_MS)]
  }

  return {
    async logIn() {
      const [askControl, askCandidate] = await askers().catch(async (error: unknown) => {
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
        await replay(entries, {
          planOf: (exchange) => planOf(plan, exchange),
          askControl,
          askCandidate,
          expectations: (operation) => expectations.get(operation) as Expectations,
          given: books && ((operation) => books.get(operation) as Given),
          repeatControl,
          confirm,
          concurrency,
          pace: pacer(rate, { now: () => performance.now(), sleep }),
          record(result) {
            results.record(result)
            onOutcome(result.outcome)
          },
          probe,
          signal: either,
        })
        if (wrongService.signal.aborted) throw wrongService.signal.reason
        const reports = results.snapshot()
        return {
          operations: reports,
          overall: judgeOverall(reports, comparable, rollout.confidence),
          unjudgedLimit: rollout.unjudged,
          problems: renewals.flatMap((side) => side.problem() ?? []),
        }
      }
    },
    close,
  }
}

interface Service {
  readonly upstream: Pick<Upstream, 'call'>
  readonly url: URL
}

/** The longest to wait for an answer. A slower service is not judged. */
const PATIENCE_MS = 5_000
const QUESTION = { method: 'GET', headers: {}, body: undefined, repeatable: true } as const

/** Checks whether services are the ones they are configured as, by a list that needs no token. */
function buildSideCheck(
  operations: readonly CompiledOperation[],
  { legacy, v1 }: { readonly legacy: Service; readonly v1: Service },
  timeoutMs: number,
  onWrong: (error: unknown) => void,
): SideCheck {
  const list = operations.find(({ mapping: { response, authorization } }) => {
    return response.kind === 'whole-list' && authorization === 'none'
  })
  const side = ({ upstream, url }: Service): SideToCheck => ({
    ask: (path) =>
      upstream.call({ ...QUESTION, path, timeoutMs: Math.min(timeoutMs, PATIENCE_MS) }).catch(() => undefined),
    url: url.href.replace(/\/$/, ''),
  })
  return sideCheck(list?.mapping, { legacy: side(legacy), v1: side(v1) }, onWrong)
}

/**
 * Asks the legacy service, and reports a gateway that answers in its place: that would be v1 again, which always agrees
 * with itself.
 * @param onWrong called for each such answer.
 */
function reportingGateways(
  legacy: Pick<Upstream, 'call'>,
  url: URL,
  onWrong: (error: ReplayError) => void,
): Pick<Upstream, 'call'> {
  return {
    async call(request) {
      const answer = await legacy.call(request)
      if (isGatewayAnswer(answer.headers)) {
        const where = url.href.replace(/\/$/, '')
        onWrong(
          new ReplayError(
            `${where} is a gateway like this one, not the legacy service behind it (--legacy or LEGACY_BASE_URL)`,
          ),
        )
      }
      return answer
    },
  }
}

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

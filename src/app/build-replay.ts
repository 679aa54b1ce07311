import { setTimeout } from 'node:timers/promises'
import { type Expectations, expectationsOf } from '../compare/expected/expectations.ts'
import type { Outcome } from '../compare/observe-exchange.ts'
import { type Ask, replay } from '../compare/replay/replay.ts'
import { type Account, logIn } from '../compare/replay/replay-login.ts'
import { pacer } from '../compare/replay/replay-pace.ts'
import { planOf, type ReplayedOperation } from '../compare/replay/replay-plan.ts'
import { type ReplayedReport, replayResults } from '../compare/replay/replay-results.ts'
import type { Rollout } from '../compare/rollout/rollout.ts'
import type { AskSide } from '../exchange/ask-side.ts'
import { Refusal } from '../gateway/errors/refusal.ts'
import { failureOf, isTokenRefused } from '../gateway/errors/translate-error.ts'
import { operationFinder } from '../gateway/find-operation.ts'
import { legacySide, v1Side } from '../gateway/sides.ts'
import { explain } from '../guide/lines/explain.ts'
import type { BadEntry, RecordedExchange } from '../recording/read-request.ts'
import { referenceLists } from '../reference/reference-lists.ts'
import { openUpstream } from '../upstream/upstream.ts'
import { buildSideCheck, refusingGateways } from './build-side-check.ts'
import { buildTranslation, type TranslationSettings } from './build-translation.ts'
import { connectingTo } from './connecting.ts'

export interface ReplaySettings {
  readonly legacyUrl: URL
  readonly v1Url: URL
  /** How both sides are logged in to, or a token for each of them; undefined: none is sent. */
  readonly credentials: Account | { readonly legacyToken: string | undefined; readonly v1Token: string | undefined }
  readonly repeatControl: boolean
  readonly includeWrites: boolean
  /** Undefined: the rollout's. */
  readonly target: number | undefined
  readonly concurrency: number
  /** Exchanges asked in a second, at most; undefined: as many as there are answers. */
  readonly rate: number | undefined
}

/**
 * Replays entries to their end, or until the signal says so.
 * @param onOutcome told of every exchange, as it is judged by all that has been counted so far.
 * @throws ReplayError when a service turns out to be the other one.
 */
export type RunReplay = (
  entries: AsyncIterable<RecordedExchange | BadEntry>,
  onOutcome: (outcome: Outcome) => void,
  signal: AbortSignal,
) => Promise<readonly ReplayedReport[]>

export interface BuiltReplay {
  /**
   * Logs in to both sides, where that is wanted.
   * @throws ReplayError when a side refuses, or is the other one.
   */
  logIn(): Promise<RunReplay>
  /** Closes the connections to both sides; what is still under way ends. */
  close(): Promise<void>
}

/** Each call of v1 has its own time; an answer that takes many of them is waited for, as a client would be. */
const NO_DEADLINE_MS = 2_147_483_647

/**
 * Puts a replay together: legacy as the control, v1 behind a gateway of its own as the candidate. Nothing is asked yet.
 * @throws MappingError when a mapping cannot be right.
 */
export function buildReplay(config: TranslationSettings, settings: ReplaySettings, rollout: Rollout): BuiltReplay {
  const { legacyUrl, v1Url, credentials, repeatControl, includeWrites, target, concurrency, rate } = settings
  const { upstreamTimeoutMs: timeoutMs, basePath } = config
  const translation = buildTranslation(config, v1Url)
  const { operations } = translation
  // Both sides are asked live: of v1's lists none is kept, which also bounds the memory.
  const lists = referenceLists({ ttlMs: 0, staleMs: 0, maxBytes: 1, failureOf, isRefusal: isTokenRefused })
  const legacy = openUpstream({
    baseUrl: legacyUrl,
    connecting: connectingTo('legacy', legacyUrl, config.connecting),
    timeoutMs,
  })
  const find = operationFinder(operations, '')
  /** Aborted when a service is another one than it was given as, with the reason. */
  const wrong = new AbortController()
  const sides = {
    legacy: legacySide(refusingGateways(legacy, legacyUrl, (error) => wrong.abort(error))),
    v1: v1Side({ ...translation.gateway, lists }, find),
  }
  const expectations = new Map(
    operations.map(({ mapping }) => [mapping.id, expectationsOf(mapping, explain(mapping), rollout.ignore)]),
  )
  const results = replayResults({ expectations, targetOf: (operation) => target ?? rollout.of(operation).target })
  const login = operations.find(({ mapping }) => mapping.login !== undefined)?.mapping
  const plan = { find: orUndefined(find), prefixes: prefixesOf(basePath, legacyUrl), includeWrites }

  const upstreams = {
    legacy: { upstream: legacy, url: legacyUrl },
    v1: { upstream: translation.gateway.v1, url: v1Url },
  }
  const sideCheck = buildSideCheck(operations, upstreams, timeoutMs, (error) => wrong.abort(error))

  const close = async (): Promise<void> => {
    lists.close()
    await Promise.all([legacy.close(), translation.close()])
  }

  const tokens = 'clientId' in credentials ? undefined : credentials
  /** A side under its token, which is logged in for where there is an account. */
  async function asker(side: AskSide, name: string, given: string | undefined, waitMs: number): Promise<Ask> {
    const under =
      (authorization: string | undefined): Ask =>
      (request) =>
        side(request, authorization, waitMs)
    const isLogin = 'clientId' in credentials && login !== undefined
    const token = isLogin ? await logIn(under(undefined), login, credentials, name) : given
    return sideCheck.watched(under(token === undefined ? undefined : `Bearer ${token}`))
  }

  async function askers(): Promise<readonly [control: Ask, candidate: Ask]> {
    const askControl = await asker(sides.legacy, 'the legacy service', tokens?.legacyToken, timeoutMs)
    return [askControl, await asker(sides.v1, 'v1', tokens?.v1Token, NO_DEADLINE_MS)]
  }

  return {
    async logIn() {
      const [askControl, askCandidate] = await askers().catch(async (error: unknown) => {
        wrong.signal.throwIfAborted()
        await sideCheck.check()
        throw error
      })
      return async (entries, onOutcome, signal) => {
        // What is under way ends at once.
        signal.addEventListener('abort', () => void close(), { once: true })
        const either = AbortSignal.any([signal, wrong.signal])
        const sleep = (milliseconds: number): Promise<void> =>
          setTimeout(milliseconds, undefined, { signal: either }).catch(() => undefined)
        await replay(entries, {
          planOf: (exchange) => planOf(plan, exchange),
          askControl,
          askCandidate,
          expectations: (operation) => expectations.get(operation) as Expectations,
          repeatControl,
          concurrency,
          pace: pacer(rate, { now: () => performance.now(), sleep }),
          record: (result) => onOutcome(results.record(result)),
          signal: either,
        })
        if (wrong.signal.aborted) throw wrong.signal.reason
        return results.snapshot()
      }
    },
    close,
  }
}

/** Clients may have been recorded in front of the gateway, or of the legacy service itself. */
function prefixesOf(basePath: string, { pathname }: URL): readonly string[] {
  return [basePath, pathname.replace(/\/+$/, '')].filter((prefix) => prefix !== '')
}

/** Another method than an operation's is no operation; HEAD has no body to compare. */
function orUndefined(
  find: ReturnType<typeof operationFinder>,
): (method: string, path: string) => ReplayedOperation | undefined {
  return (method, path) => {
    try {
      const mapping = find(method, path)?.mapping
      return mapping?.legacy.method === method ? mapping : undefined
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }
}

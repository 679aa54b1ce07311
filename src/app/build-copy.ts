import type { Logger } from 'pino'
import { MAX_COMPARED_BYTES } from '../control-plane/evidence/compare-exchange.ts'
import { openCopyAccount } from '../control-plane/evidence/writes/copy-account.ts'
import { copyPairs } from '../control-plane/evidence/writes/copy-pairs.ts'
import { type CopyOptions, type CopyWrites, openCopyWrites } from '../control-plane/evidence/writes/copy-writes.ts'
import { failureOf, isTokenRefused } from '../data-plane/gateway/errors/translate-error.ts'
import type { Gateway, ServedOperation } from '../data-plane/gateway/gateway.ts'
import type { FindOperation } from '../data-plane/gateway/legacy-paths.ts'
import { knownTokens } from '../data-plane/gateway/login/known-tokens.ts'
import { v1Side } from '../data-plane/gateway/sides.ts'
import { StartError } from '../data-plane/http/listen.ts'
import { referenceLists } from '../data-plane/reference/reference-lists.ts'
import { openUpstream } from '../data-plane/upstream/upstream.ts'
import type { Operation } from '../mapping/operation.ts'
import { throttleReport } from '../observe/throttle-report.ts'
import { loginRequest, tokenIn } from '../recordings/replay/replay-login.ts'
import type { Config } from './config.ts'
import { connectingTo, HEADERS_TO_V1 } from './connect-services.ts'

/** The outcomes of an operation's writes: how often each. */
export interface CopiedWrites {
  readonly operation: string
  readonly outcomes: ReadonlyMap<string, number>
}

/** A copy of v1, to which writes are sent. */
export interface BuiltCopy {
  /** Opens what sends writes. Called once. */
  open(parts: CopyParts, tell: Parameters<typeof openCopyWrites>[1]): CopyWrites
  /** What became of the writes of this process. */
  counts(): Iterable<CopiedWrites>
  /** Closes its connections, which ends all calls that are still running. */
  close(): Promise<void>
}

type CopyParts = Pick<CopyOptions, 'rollout' | 'mapping' | 'learningOf' | 'comparing' | 'now'>

const REPORT_EVERY_MS = 60_000
/** No client waits for the copy's answer. */
const FILL_WITHIN_MS = 10_000

type CopyBuilding = Pick<Config, 'connecting' | 'upstreamTimeoutMs' | 'referenceTtlMs' | 'referenceStaleMs'> &
  Partial<Pick<Config, 'copy'>>

/** The memory of the lists that fill members of the copy's answers. */
const MOST_LIST_BYTES = 8 * 1024 * 1024

/**
 * Builds the copy of v1 that `settings` name; undefined: they name none.
 * @param gateway translates for it.
 * @throws StartError if no mapping says how to log in.
 */
export function buildCopy(
  { copy, connecting, upstreamTimeoutMs, referenceTtlMs, referenceStaleMs }: CopyBuilding,
  gateway: Gateway,
  find: FindOperation<ServedOperation>,
  mappings: readonly Operation[],
  log: Logger,
): BuiltCopy | undefined {
  if (copy === undefined) return undefined
  const { baseUrl, account, releaseHeader } = copy
  const login = mappings.find((mapping) => mapping.login !== undefined)
  if (login?.login === undefined) throw new StartError('V1_COPY_BASE_URL: no mapping is a login')
  const { legacy, login: logsIn } = login
  const upstream = openUpstream({
    ...{ baseUrl, connecting: connectingTo('copy', baseUrl, connecting, log) },
    ...{ headers: HEADERS_TO_V1, timeoutMs: upstreamTimeoutMs, connections: connecting.connections },
  })
  // A second answer, which would show that a list was not read in time, does not exist for a write.
  const lists = referenceLists({
    maxBytes: MOST_LIST_BYTES,
    ttlMs: referenceTtlMs,
    staleMs: referenceStaleMs,
    failureOf,
    isRefusal: isTokenRefused,
  })
  const ask = v1Side(
    {
      // It is v1 alone: a login of its account must reach no other service.
      ...{
        ...gateway,
        legacy: undefined,
        tokens: undefined,
        knownTokens: knownTokens(),
        lists,
        fillWithinMs: FILL_WITHIN_MS,
      },
      v1: { call: upstream.call, lanes: () => [], close: upstream.close },
      releaseHeaders: { v1: releaseHeader, legacy: undefined },
    },
    find,
    { mostV1Bytes: MAX_COMPARED_BYTES },
  )
  const counts = new Map<string, Map<string, number>>()
  const reportProblem = throttleReport<{ readonly operation: string; readonly problem: string }>(
    (writes, { operation, problem }) =>
      log.warn(
        { upstream: 'copy', operation, writes, problem },
        'writes could not be compared against the copy of v1; the latest',
      ),
    REPORT_EVERY_MS,
  )
  return {
    open: (parts, tell) =>
      openCopyWrites(
        {
          ...parts,
          account: openCopyAccount({
            ...{ ask, now: parts.now },
            login: {
              request: loginRequest({ legacy, login: logsIn }, account),
              tokenIn: (answer) => (answer.status < 300 ? tokenIn(answer, logsIn.token) : undefined),
            },
          }),
          pairs: copyPairs(mappings),
          onOutcome(operation, outcome) {
            const outcomes = counts.get(operation) ?? new Map<string, number>()
            counts.set(operation, outcomes)
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
          },
          onProblem: (operation, problem) => reportProblem({ operation, problem }),
        },
        tell,
      ),
    counts: () => Array.from(counts, ([operation, outcomes]) => ({ operation, outcomes })),
    async close() {
      lists.close()
      await upstream.close()
    },
  }
}

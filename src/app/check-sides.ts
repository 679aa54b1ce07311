import { isGatewayAnswer } from '../data-plane/gateway/standard-headers.ts'
import type { Upstream } from '../data-plane/upstream/upstream.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { PURPOSE_HEADER, type Purpose } from '../exchange/purpose.ts'
import { ReplayError } from '../recordings/replay/replay.ts'
import { type SideCheck, type SideToCheck, sideCheck } from '../recordings/replay/replay-sides.ts'

/** A service that a replay asks. */
export interface Service {
  readonly upstream: Pick<Upstream, 'call'>
  readonly url: URL
}

/** The longest to wait for an answer. A slower service is not judged. */
const PATIENCE_MS = 5_000
const QUESTION = { method: 'GET', body: undefined, repeatable: true } as const

/** Checks whether services are the ones they are configured as, by a list that needs no token. */
export function buildSideCheck(
  operations: readonly CompiledOperation[],
  { legacy, v1 }: { readonly legacy: Service | undefined; readonly v1: Service },
  purpose: Purpose,
  timeoutMs: number,
  onWrong: (error: unknown) => void,
): SideCheck {
  const list = operations.find(({ mapping: { response, authorization } }) => {
    return response.kind === 'whole-list' && authorization === 'none'
  })
  const side = ({ upstream, url }: Service): SideToCheck => ({
    ask: (path) =>
      upstream
        .call({
          ...QUESTION,
          ...{ path, headers: { [PURPOSE_HEADER]: purpose }, timeoutMs: Math.min(timeoutMs, PATIENCE_MS) },
        })
        .catch(() => undefined),
    url: url.href.replace(/\/$/, ''),
  })
  return sideCheck(list?.mapping, { legacy: legacy && side(legacy), v1: side(v1) }, onWrong)
}

/**
 * Asks the legacy service, and reports a gateway that answers in its place: that would be v1 again, which always agrees
 * with itself.
 * @param onWrong called for each such answer.
 */
export function reportingGateways(
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

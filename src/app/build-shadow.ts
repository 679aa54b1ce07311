import type { Compared, Comparing } from '../compare/compare-exchange.ts'
import type { Expectations } from '../compare/expected/expectations.ts'
import type { Rollout } from '../compare/rollout/rollout.ts'
import { openShadow } from '../compare/shadow.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { ServedOperation } from '../gateway/compile-answerers.ts'
import { operationFinder } from '../gateway/find-operation.ts'
import type { Gateway, LegacyService } from '../gateway/gateway.ts'
import { legacySide, v1Side } from '../gateway/sides.ts'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'
import { liveLists } from './live-lists.ts'

/** What comparing answered calls requires. */
interface Parts {
  readonly operations: readonly ServedOperation[]
  readonly rollout: () => Rollout
  /** Returns what to expect of an operation's answers. */
  readonly expectations: (operation: string) => Expectations
  /** Compares their answers, and checks writes. */
  readonly comparing: Comparing
  readonly memory: MemoryBudget
  /** Called after every comparison; `exchange` undefined: it was dropped. */
  observe(compared: Compared, exchange: Exchange | undefined): void
}

/**
 * Compares answered calls: repeats them at the other side, without delaying any call.
 * @param gateway answers calls without comparing.
 * @param legacy the control.
 */
export function buildShadow(gateway: Gateway, legacy: LegacyService, parts: Parts): ReturnType<typeof openShadow> {
  const { operations, rollout, expectations, comparing, memory, observe } = parts
  const ofOperation = (id: string): CompiledOperation => gateway.byId(id) as CompiledOperation
  return openShadow({
    ...{ rollout, expectations, comparing, observe },
    askLegacy: legacySide(legacy, { releaseHeader: gateway.releaseHeaders.legacy, baseUrl: legacy.baseUrl }),
    askV1: v1Side({ ...gateway, lists: liveLists() }, operationFinder(operations, '')),
    now: () => performance.now(),
    whyNot: (id) => whyNotCompared(ofOperation(id)),
    hold(bytes) {
      const holder: Holder = { held: 0 }
      return memory.holdBeside(holder, bytes, 'comparison') ? () => memory.end(holder) : undefined
    },
    random: Math.random,
  })
}

/**
 * Returns why an operation is not compared; null if it is. Only reads and calculations are sent to a second side
 * (docs/decisions/0040). Each login has its own token.
 */
function whyNotCompared({ mapping }: CompiledOperation): string | null {
  if (mapping.v1 === undefined) return 'v1 has no equivalent'
  if (mapping.login !== undefined) return 'a login'
  return mapping.effect === 'write' ? 'write' : null
}

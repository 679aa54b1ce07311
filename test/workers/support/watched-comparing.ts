import type { ResourceLimits } from 'node:worker_threads'
import type { Compared, Comparing } from '../../../src/control-plane/evidence/compare-exchange.ts'
import type { IgnoreRule } from '../../../src/control-plane/evidence/expected/ignore-rule.ts'
import type { Reply } from '../../../src/control-plane/evidence/reply.ts'
import type { Corrections } from '../../../src/mapping/corrections/corrections.ts'
import { openComparing } from '../../../src/workers/open-comparing.ts'
import { reply } from '../../control-plane/evidence/support/observing.ts'
import { closeAtEnd } from '../../support/clean-up.ts'

/** A thread that compares answers of invoices. */
interface Watched {
  readonly compare: (control: unknown, candidate: unknown) => Promise<Compared>
  /** Why exchanges could not be compared. */
  readonly lost: readonly string[]
  readonly close: Comparing['close']
}

const NO_CORRECTIONS: Corrections = { operations: {} }

/** Opens a thread that compares, until the file's tests have run. */
export function openWatched(
  rules: () => readonly IgnoreRule[] = () => [],
  resourceLimits?: ResourceLimits,
  corrections: () => Corrections = () => NO_CORRECTIONS,
): Watched {
  const lost: string[] = []
  const comparing = openComparing({
    ...{
      key: new Uint8Array(32),
      rules,
      corrections,
      toTry: () => NO_CORRECTIONS,
      onLost: (reason) => lost.push(reason),
    },
    ...(resourceLimits && { resourceLimits }),
  })
  closeAtEnd(comparing.close)
  const request = { method: 'POST', path: '/api/invoice/list', query: '', headers: {}, body: Buffer.from('{}') }
  const more = { operation: 'invoice-list', client: 'a', at: new Date(0), budgetMs: 250 }
  return {
    compare: (control, candidate) =>
      comparing.compare({ request, control: sideOf(control), candidate: sideOf(candidate), ...more }),
    lost,
    close: comparing.close,
  }
}

/** A body as bytes, as a text, or as a value. */
const sideOf = (body: unknown): Reply => (Buffer.isBuffer(body) ? { status: 200, body } : reply(body))

/** A page of invoices with one price. */
export const rows = (price: number) => ({ data: [{ id: 1, priceTry: price }], pagination: {} })

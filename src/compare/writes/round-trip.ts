import type { Budget } from '../diff/budget.ts'
import { diff } from '../diff/diff.ts'
import { type Answer, type Comparison, type Difference, Findings } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { ReadAnswer } from '../read-reply.ts'
import { typeFindings } from './promised-types.ts'

/**
 * Compares a legacy success with its translation to v1's shape and back, and its members with the types in their lines. Leaves
 * out members that are filled in from elsewhere, which make no round trip.
 */
export function roundTripOf(
  control: ReadAnswer,
  roundTrip: (legacy: Uint8Array) => Uint8Array,
  expectations: Expectations,
  budget: Budget,
): Comparison {
  const { response } = expectations
  const { json } = control.read
  const types = json === undefined ? undefined : typeFindings(response, json, budget)
  const status = 'status' in response ? response.status : control.status
  const body = bodyAfter(control, roundTrip)
  const trip = body === undefined ? lostOnTheWay(types) : diff(control, { status, body }, undefined, budget)
  return marked([...(types === undefined ? [] : [types]), trip], expectations)
}

/** Compares a refusal of the gateway with legacy's success; null: it would not refuse. */
export function refusedWith(status: number | null, control: ReadAnswer): Comparison {
  return status === null ? { differences: [], examples: [] } : diff(control, { status, body: new Uint8Array() })
}

function bodyAfter({ body }: Answer, roundTrip: (legacy: Uint8Array) => Uint8Array): Uint8Array | undefined {
  try {
    return roundTrip(body)
  } catch {
    // The gateway would refuse such an answer of v1 as malformed.
    return undefined
  }
}

/** A body that cannot make the round trip is a failure, unless its types already explain why. */
function lostOnTheWay(types: Comparison | undefined): Comparison {
  const findings = new Findings('status')
  if ((types?.differences.length ?? 0) === 0) findings.add({ kind: 'failure', path: '', detail: 'malformed' })
  return findings.comparison()
}

/** Joins comparisons, each kind and place once, and marks their differences as coming from the round trip. */
function marked(comparisons: readonly Comparison[], expectations: Expectations): Comparison {
  const found = new Map<string, readonly [Difference, Comparison['examples'][number]]>()
  for (const { differences, examples } of comparisons) {
    for (const [index, difference] of differences.entries()) {
      const key = `${difference.kind} ${difference.path}`
      const example = examples[index]
      const isFilledIn = expectations.line(difference)?.change === 'filled in'
      if (example === undefined || isFilledIn || found.has(key)) continue
      found.set(key, [{ ...difference, from: 'round trip' }, example])
    }
  }
  const all = [...found.values()]
  return { differences: all.map(([difference]) => difference), examples: all.map(([, example]) => example) }
}

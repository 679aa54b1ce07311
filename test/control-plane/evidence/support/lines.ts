import { operations } from '../../../../mappings/index.ts'
import type { Where } from '../../../../src/control-plane/evidence/diff/difference.ts'
import { type Expectations, expectationsOf } from '../../../../src/control-plane/evidence/expected/expectations.ts'
import type { IgnoreRule } from '../../../../src/control-plane/evidence/expected/ignore-rule.ts'
import type { MappingLine } from '../../../../src/control-plane/evidence/expected/mapping-lines.ts'
import { explain } from '../../../../src/guide/lines/explain.ts'

/** A line of a mapping; by default documented, of a success, and with the value copied. */
export const line = (legacy: string | null, v1: string | null, more: Partial<MappingLine> = {}): MappingLine => ({
  part: 'answer',
  legacy,
  v1,
  change: 'same',
  basis: 'documented',
  reason: null,
  ...more,
})

export const lost = (legacy: string, reason: string): MappingLine =>
  line(legacy, null, { change: 'lost', basis: 'lost', reason })

export const assumed = (legacy: string, v1: string | null, more: Partial<MappingLine> = {}): MappingLine =>
  line(legacy, v1, { basis: 'assumed', reason: `we think so of ${legacy}`, ...more })

/** The expectations of a made-up operation whose answers are JSON. */
export const expectationsFrom = (
  lines: readonly MappingLine[],
  ignore: readonly IgnoreRule[] = [],
  id = 'made-up',
  now?: () => number,
): Expectations =>
  expectationsOf(
    { id, response: { kind: 'record', shape: { name: '', rules: {}, closed: false, v1Only: {} }, status: 200 } },
    lines,
    ignore,
    now,
  )

/** The expectations of an operation by its mapping. */
export function mappedExpectations(id: string, ignore: readonly IgnoreRule[] = []): Expectations {
  const operation = operations.find((operation) => operation.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return expectationsOf(operation, explain(operation), ignore)
}

export const at = (path: string, kind: Where['kind'] = 'changed', part: Where['part'] = 'answer'): Where => ({
  part,
  kind,
  path,
})

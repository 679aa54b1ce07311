import { operations } from '../../mappings/index.ts'
import { loadMappings } from '../../src/data-plane/gateway/load-mappings.ts'
import { ALL_ROWS, rewriteRows } from '../../src/engine/answer.ts'
import type { CompiledOperation } from '../../src/engine/compile/compile-operations.ts'
import { correctedOperations } from '../../src/mapping/corrections/corrected-operations.ts'
import { parseCorrections } from '../../src/mapping/corrections/parse-corrections.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { from } from '../../src/mapping/shape.ts'
import { correctedGateways } from './corrected-gateways.ts'
import { median } from './measure.ts'

const LINES = 200
const ROWS = 100
const ROUNDS = 40

/**
 * Measures lists of cities with 200 lines of MAPPING_FILE, with the same lines in the shipped mapping, and without them, in turn: the
 * translation alone, and calls through gateways. And how long a change takes.
 */
export async function correctedCalls(print: (line: string) => void): Promise<void> {
  translations(print)
  await correctedGateways(print)
}

function translations(print: (line: string) => void): void {
  const names = Array.from({ length: LINES }, (_, line) => [`old${line}`, `new${line}`] as const)
  const response = Object.fromEntries(names.map(([old, now]) => [`[].${old}`, { from: `items[].${now}` }]))
  const file = JSON.stringify({ operations: { 'city-list': { response } } })
  const text = Buffer.from(JSON.stringify({ success: true, message: '', items: rows(names), meta: META }))
  const corrected = citiesOf(correctedOperations(operations, parseCorrections(file)))
  const shipped = citiesOf(operations.map((operation) => withLines(operation, names)))
  const none = citiesOf(operations)
  const times = { corrected: [] as number[], shipped: [] as number[], none: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.corrected.push(milliseconds(() => rewriteRows(corrected.answer, text, ALL_ROWS)))
    times.shipped.push(milliseconds(() => rewriteRows(shipped.answer, text, ALL_ROWS)))
    times.none.push(milliseconds(() => rewriteRows(none.answer, text, ALL_ROWS)))
  }
  const ofCorrected = median(times.corrected.slice(ROUNDS / 4))
  const ofShipped = median(times.shipped.slice(ROUNDS / 4))
  const ofNone = median(times.none.slice(ROUNDS / 4))
  print(`${ROWS} cities with ${LINES} lines, ${(text.length / 1024).toFixed(0)} KB, median of ${ROUNDS} rounds:`)
  print(`  lines of MAPPING_FILE: ${ofCorrected.toFixed(3)} ms`)
  print(`  the same lines in the shipped mapping: ${ofShipped.toFixed(3)} ms`)
  print(`  no such lines, members passed on under their names: ${ofNone.toFixed(3)} ms`)
  print(
    `  ratio to the shipped mapping: ${(ofCorrected / ofShipped).toFixed(3)}; to no such lines: ${(ofCorrected / ofNone).toFixed(2)}`,
  )
  const taken = Array.from({ length: ROUNDS }, (_, round) => {
    const next = file.replace('new0', `new0-${round}`)
    return milliseconds(() => loadMappings(correctedOperations(operations, parseCorrections(next))), 1)
  })
  print(
    `a change of a file with ${LINES} lines, parsed, checked and compiled: ${median(taken).toFixed(1)} ms, at first ${(taken[0] as number).toFixed(1)} ms`,
  )
}

const META = { page: 1, perPage: 200, total: ROWS, pageCount: 1 }

const rows = (names: readonly (readonly [string, string])[]) =>
  Array.from({ length: ROWS }, (_, row) => Object.fromEntries(names.map(([, now], line) => [now, row * LINES + line])))

const citiesOf = (all: readonly Operation[]): CompiledOperation =>
  loadMappings(all).operations.find(({ mapping }) => mapping.id === 'city-list') as CompiledOperation

/** States the lines in the mapping itself. */
function withLines(operation: Operation, names: readonly (readonly [string, string])[]): Operation {
  const { response } = operation
  if (operation.id !== 'city-list' || response.kind !== 'whole-list') return operation
  const rules = { ...response.shape.rules, ...Object.fromEntries(names.map(([old, now]) => [old, from(now)])) }
  return { ...operation, response: { ...response, shape: { ...response.shape, rules } } }
}

function milliseconds(work: () => unknown, times = 10): number {
  const started = performance.now()
  for (let time = 0; time < times; time++) work()
  return (performance.now() - started) / times
}

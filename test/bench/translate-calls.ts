import { operations } from '../../mappings/index.ts'
import { ALL_ROWS, rewritePage, rewriteRecord, rewriteRows } from '../../src/engine/answer.ts'
import { type CompiledOperation, compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { skipValue } from '../../src/engine/json/walk-json.ts'
import { recordFinder, requestRowFinder } from '../../src/engine/json-members.ts'
import { readV1Error } from '../../src/engine/read-v1-error.ts'
import { median } from './measure.ts'
import * as bodies from './translated-bodies.ts'

const page = bodies.invoicePage(25)

/** Measures the engine's time for one call of each kind, in microseconds: the median of 40 rounds. */
export function translateCalls(print: (line: string) => void): void {
  const compiled = compileOperations(operations)
  const named = (id: string): CompiledOperation => {
    const operation = compiled.find(({ mapping }) => mapping.id === id)
    if (operation === undefined) throw new Error(`there is no ${id}`)
    return operation
  }
  const invoices = named('invoice-list')
  const shipment = named('package')
  const { page: pagePlan } = invoices
  if (pagePlan === undefined) throw new Error('invoices come in pages')
  const found = recordFinder(bodies.currencies)
  const context = {
    requestRow: requestRowFinder(bodies.shipmentRequest),
    reference: (_: string, match: string, key: string, take: string) => found(match, key, take),
  }

  const measure = (): void => {
    const line = (name: string, work: () => unknown): void => print(`  ${name}: ${microseconds(work).toFixed(1)} µs`)
    line('request of an invoice list', () => invoices.translateRequest({ query: '', body: bodies.listRequest }))
    line('request of a package with 5 products', () =>
      shipment.translateRequest({ query: '', body: bodies.shipmentRequest }),
    )
    line('25 invoices, rows alone', () => rewriteRows(invoices.answer, page, ALL_ROWS))
    line('25 invoices, the whole page', () => rewritePage(pagePlan, page))
    line('record of a package', () => rewriteRecord(shipment.answer, bodies.shipmentRecord, { context }))
    line('422 with three errors', () =>
      readV1Error(bodies.validationError).errors.map(({ path }) => shipment.legacyErrorPath(path)),
    )
  }
  print('In a process that has read nothing but JSON')
  measure()
  readBroken(invoices)
  print('After texts that are cut short, in buffers of both kinds')
  measure()
}

function microseconds(work: () => unknown, rounds = 50, runs = 400): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now()
    for (let i = 0; i < runs; i++) work()
    return ((performance.now() - started) / runs) * 1000
  })
  return median(times.slice(rounds / 5))
}

/** A client or a service can send anything, which must not slow down later calls. */
function readBroken({ answer }: CompiledOperation): void {
  const text = page.subarray(0, 700)
  for (let end = 0; end < text.length; end++) {
    for (const json of [text.subarray(0, end), new Uint8Array(text.subarray(0, end))]) {
      for (const read of [() => rewriteRows(answer, json, ALL_ROWS), () => skipValue(json, 0)]) {
        try {
          read()
        } catch {}
      }
    }
  }
}

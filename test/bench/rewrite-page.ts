import { invoice } from '../../mappings/shapes/invoice.ts'
import { ALL_ROWS, rewriteRows } from '../../src/engine/answer.ts'
import { compile } from '../../src/engine/compile/compile.ts'
import { allocated, compare } from './measure.ts'
import { invoicePage } from './translated-bodies.ts'

interface Invoice {
  readonly id: number
  readonly organizationId: number
  readonly dateAt: string
  readonly paymentExpirationAt: string
  readonly currencyCode: string
}

const page = invoicePage(200)

const plan = { kind: 'object', plan: compile(invoice, 'toLegacy') } as const

const engine = (): Uint8Array => rewriteRows(plan, page, ALL_ROWS).rows

/** The usual code by hand: the same result from JSON.parse, a map over plain objects, and JSON.stringify. */
function byHand(): Uint8Array {
  const { items } = JSON.parse(page.toString()) as { readonly items: readonly Invoice[] }
  const legacyTime = (time: string): string => `${time.slice(0, 19)}+00:00`
  const rows = items.map(({ organizationId: _, currencyCode, ...row }) => ({
    ...row,
    dateAt: legacyTime(row.dateAt),
    paymentExpirationAt: legacyTime(row.paymentExpirationAt),
    currency: { code: currencyCode },
  }))
  return Buffer.from(JSON.stringify(rows))
}

/** The same with each member named: fast code by hand. */
function byHandFast(): Uint8Array {
  const { items } = JSON.parse(page.toString()) as { readonly items: readonly (Invoice & Record<string, unknown>)[] }
  const legacyTime = (time: string): string => `${time.slice(0, 19)}+00:00`
  const rows = items.map((row) => ({
    id: row.id,
    number: row.number,
    dateAt: legacyTime(row.dateAt),
    paymentExpirationAt: legacyTime(row.paymentExpirationAt),
    priceTry: row.priceTry,
    priceUsd: row.priceUsd,
    firstName: row.firstName,
    lastName: row.lastName,
    citizenshipNumber: row.citizenshipNumber,
    company: row.company,
    taxNumber: row.taxNumber,
    isPaid: row.isPaid,
    status: row.status,
    addressType: row.addressType,
    currency: { code: row.currencyCode },
  }))
  return Buffer.from(JSON.stringify(rows))
}

const sameRows = (bytes: Uint8Array): string => JSON.stringify(JSON.parse(`[${Buffer.from(bytes).toString()}]`))

export function rewritePage(print: (line: string) => void): void {
  for (const other of [byHand, byHandFast]) {
    if (sameRows(engine()) !== JSON.stringify(JSON.parse(Buffer.from(other()).toString()))) {
      throw new Error(`${other.name} gives another result`)
    }
  }
  print(`A page of 200 invoices (${page.length} bytes), v1 → legacy`)
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`
  const own = allocated(engine)
  print(`  engine: heap ${kilobytes(own.heap)}, buffers ${kilobytes(own.buffers)} a page`)
  for (const other of [byHand, byHandFast]) {
    const { subjectMs, baselineMs, ratio } = compare(engine, other)
    const its = allocated(other)
    const name = other === byHand ? 'JSON.parse → map → JSON.stringify' : 'the same, each member named'
    print(`  ${name}: heap ${kilobytes(its.heap)}, buffers ${kilobytes(its.buffers)} a page`)
    print(
      `    engine ${subjectMs.toFixed(3)} ms, by hand ${baselineMs.toFixed(3)} ms: ${ratio.toFixed(2)} times as fast, ` +
        `${(own.heap / its.heap).toFixed(3)} of the heap`,
    )
  }
}

import { operations } from '../../../mappings/index.ts'
import type { Operation } from '../../../src/mapping/operation.ts'
import { type Draft, neededBy, requestOf, sayDraft } from '../../../src/recordings/probe/draft.ts'
import { planRest } from '../../../src/recordings/probe/plan-requests.ts'
import { readSeen, type Seen, SeenValues } from '../../../src/recordings/probe/seen-values.ts'

export function mapped(id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`no mapping ${id}`)
  return found
}

/** What one answer with this body shows. */
export const shown = (id: string, body: unknown, status = 200): Seen =>
  readSeen(mapped(id).response, { status, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) })

/** What is known after these bodies were answered, by operation. */
export const known = (bodies: Readonly<Record<string, unknown>>): SeenValues =>
  new SeenValues(
    Object.keys(bodies).map(mapped),
    new Map(Object.entries(bodies).map(([id, body]) => [id, shown(id, body)])),
  )

/** Everything that is asked of an operation after its first answer. */
export const rest = (id: string, bodies: Readonly<Record<string, unknown>>): readonly Draft[] =>
  planRest([mapped(id)], { seen: known(bodies), baseOf: neededBy })

export const said = (drafts: readonly Draft[]): readonly string[] => drafts.map(sayDraft)

/** The requests of drafts: path with query, or body. */
export const sent = (drafts: readonly Draft[]): readonly string[] =>
  drafts.map((draft) => {
    const { path, body } = requestOf(draft, 1)
    return body === undefined ? path : Buffer.from(body).toString()
  })

const invoice = (id: number, more: object = {}): object => ({
  id,
  number: `A-${id}`,
  dateAt: `2025-01-${10 + id}T10:24:19+00:00`,
  paymentExpirationAt: `2025-02-${10 + id}T10:24:19+00:00`,
  firstName: 'Ayşe',
  isPaid: true,
  status: { id: 2, slug: 'WAITING' },
  currency: { code: 'TRY' },
  ...more,
})

/** A page of three invoices of 60. */
export const INVOICES = {
  data: [invoice(5), invoice(4, { status: { id: 3 } }), invoice(1, { status: { id: 1 }, isPaid: false })],
  pagination: { count: 60, page: 1, perPage: 25, lastPage: 3 },
}

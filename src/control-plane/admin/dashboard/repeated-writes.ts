import { html } from 'hono/html'
import { count, counted } from '../../../common/figures.ts'
import type { Html } from '../../../common/tables.ts'
import type { RepeatedWrite, SentWrite } from '../../../data-plane/gateway/unknown-outcomes.ts'
import { clientLink } from './clients-filter.ts'
import { table, time } from './fragments.ts'

/** A write that a client sent again after an unknown outcome, and the name under which the client is counted. */
export interface ClientsRepeatedWrite extends RepeatedWrite {
  readonly client: string
}

/** The repeated writes of an operation since the control plane of this process started. */
export interface RepeatedWrites {
  /** The newest first. */
  readonly newest: readonly ClientsRepeatedWrite[]
  /** How many there were, by whether both were carried out. */
  readonly counts: Readonly<Record<RepeatedWrite['twice'], number>>
}

/** The most writes per operation that are kept with their request ids. All are counted. */
const MOST_KEPT = 100

const NONE: RepeatedWrites = { newest: [], counts: { probably: 0, possibly: 0, no: 0 } }

/** Keeps the repeated writes of each operation, in memory. */
export function keepRepeatedWrites() {
  const all = new Map<string, RepeatedWrites>()
  return {
    add(operation: string, write: ClientsRepeatedWrite): void {
      const { newest, counts } = all.get(operation) ?? NONE
      all.set(operation, {
        newest: [write, ...newest].slice(0, MOST_KEPT),
        counts: { ...counts, [write.twice]: counts[write.twice] + 1 },
      })
    },
    of: (operation: string): RepeatedWrites => all.get(operation) ?? NONE,
  }
}

/** Renders the repeated writes of an operation; empty if there are none. */
export function repeatedSection({ newest, counts }: RepeatedWrites, isOneOfSeveral: boolean): Html | '' {
  if (newest.length === 0) return ''
  const all = counts.probably + counts.possibly + counts.no
  return html`<h2>Repeated after an unknown outcome</h2>
<p>${inOneSentence(counts)}</p>
${table({
  id: 'repeated-writes',
  caption: `Writes that a client sent again within 15 minutes, with the same body, after one that failed and may have been carried out${all > newest.length ? `: the newest ${count(newest.length)} of ${count(all)}` : ', the newest first'}`,
  columns: [
    { head: 'Client', cell: ({ client }) => clientLink(client) },
    ...sentColumns('First', ({ first }) => first),
    ...sentColumns('Repeat', ({ again }) => again),
    { head: 'Carried out twice', cell: ({ twice }) => MEANINGS[twice] },
  ],
  rows: newest,
})}
<p class="note">Counted by this ${isOneOfSeveral ? 'replica' : 'gateway'} since it started, in memory. Whoever runs the service can find both writes in its log by their request ids.</p>`
}

const MEANINGS: Readonly<Record<RepeatedWrite['twice'], string>> = {
  probably: 'probably',
  possibly: 'possibly',
  no: 'no: the service did not carry out the repeat',
}

const sentColumns = (name: string, of: (write: ClientsRepeatedWrite) => SentWrite) => [
  { head: `${name}: request id`, cell: (write: ClientsRepeatedWrite) => html`<code>${of(write).requestId}</code>` },
  { head: 'Time', cell: (write: ClientsRepeatedWrite) => time(of(write).at) },
  { head: 'Status', kind: 'number' as const, cell: (write: ClientsRepeatedWrite) => String(of(write).status) },
]

/** `2 writes were probably carried out twice; 1 may have been.` */
function inOneSentence({ probably, possibly, no }: RepeatedWrites['counts']): string {
  const parts = [
    ...(probably > 0 ? [`${counted(probably, 'write was', 'writes were')} probably carried out twice`] : []),
    ...(possibly > 0 ? [`${counted(possibly, 'write')} may have been carried out twice`] : []),
    ...(no > 0 ? [`${counted(no, 'repeat was', 'repeats were')} not carried out`] : []),
  ]
  return `${parts.join('; ')}.`
}

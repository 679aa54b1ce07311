import { type AgainstOthers, timesAsHigh } from './against-others.ts'
import type { Point } from './growth.ts'
import type { Figures } from './peers/load.ts'
import type { Measured } from './results-plots.ts'

/** The text of RESULTS.md. */
export function tablesOf({ compared, growth, flat }: Measured, machine: string): string {
  const { p50, p99 } = compared.added
  const sizes = flat.sizes.map((size) => size / 1e6)
  return `# Results

Made by \`npm run bench -- results\`, which writes this page and the plots. Measured on ${machine}. Load comes from the same
machine; the upstream is ${compared.upstream}, and answers from memory.

![Plots of the figures below](results.svg)

## Against others

Legacy calls a second, from 16 connections, each side in one process, in turn, once each side has answered such calls for
${compared.warmUpSeconds} s. Figures are medians of the rounds, with ${compared.starts} processes of each side one after the other. The gateway is as it is
shipped: it logs, counts and validates. The pass-through is the gateway's own stack without the gateway, in front of an upstream
that answers as legacy does; the others translate by hand, without a log. All give the same answers. Behind each ratio is the range
of the rounds.
${compared.skipped.map((reason) => `\nNot measured: ${reason}.\n`).join('')}
${comparedTables(compared)}

From one connection the gateway adds ${p50.toFixed(3)} ms (p50) and ${p99.toFixed(3)} ms (p99) to the pass-through, for 25 invoices.

## Growth

Each line in a new process. Lists and bodies from one connection; more than 200 rows are put together from several pages of v1.

${table('Rows of a list', growth.lists, (point) => [...timesOf(point), each(point, 'row'), memoryOf(point)], 'A row')}

${table('Bytes of a price request', growth.bodies, (point) => [...timesOf(point), each(point, 'KB'), memoryOf(point)], 'A kilobyte')}

${table('Clients, 25 invoices each', growth.clients, (point) => [...timesOf(point), '', memoryOf(point)], '')}

Replicas: processes behind one port, which Node's cluster deals connections to; 25 invoices, 64 connections. The load and the
upstream run on the same cores.

${table('Replicas', growth.replicas, (point) => timesOf(point))}

## Memory over a minute

${sizes.length} s of 25 invoices from 16 connections: ${Math.min(...sizes).toFixed(0)} to ${Math.max(...sizes).toFixed(0)} MB; the last ten seconds have
${flat.grown.toFixed(2)} times the memory of the first ten.
`
}

function comparedTables({ works }: AgainstOthers): string {
  const lines = works.map(({ name, peers }) => {
    const rows = peers.map((peer, index) => row([peer.name, ...timesOf(peer), index === 0 ? '' : timesAsHigh(peer)]))
    return [
      `### ${name}`,
      '',
      ...head(['', 'Calls a second', 'p50', 'p99', 'The gateway’s rate is so many times as high']),
      ...rows,
    ].join('\n')
  })
  return lines.join('\n\n')
}

function table<At extends Figures & { readonly at: number }>(
  title: string,
  points: readonly At[],
  cells: (point: At) => readonly string[],
  unit?: string,
): string {
  const names = ['Calls a second', 'p50', 'p99', ...(unit === undefined ? [] : [unit, 'Memory, at most'])]
  return [
    ...head([title, ...names]),
    ...points.map((point) => row([point.at.toLocaleString('en'), ...cells(point)])),
  ].join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const head = (names: readonly string[]): readonly string[] => [row(names), row(names.map(() => '---'))]
const timesOf = ({ rate, p50, p99 }: Figures): readonly string[] => [
  Math.round(rate).toLocaleString('en'),
  `${p50.toFixed(2)} ms`,
  `${p99.toFixed(2)} ms`,
]
const memoryOf = ({ memory }: Point): string => `${(memory / 1e6).toFixed(0)} MB`

/** The time of a call divided by its size: for each row or KB. */
function each({ at, p50 }: Point, unit: 'row' | 'KB'): string {
  return `${((p50 * 1_000) / (unit === 'row' ? at : at / 1_000)).toFixed(1)} µs`
}

import { type Figures, type Load, load } from './load.ts'
import type { Running } from './start-peers.ts'
import { countryList, invoices, packageShipment, refusedImport, type Work } from './work.ts'

/** The figures by which sides are compared. */
export const WORKS = [invoices(25), invoices(200), packageShipment, countryList, refusedImport]

/**
 * How many first rounds are not counted, since real gateways run for days. The gateway's rate for a new kind of call
 * grows for its first 8 s, while it is compiled; and code is compiled again when connections first come and go, as
 * between rounds.
 */
export const WARM_UP = 4
export const LOAD = { connections: 16, seconds: 2 }

/** The figures of all sides, in the order of the sides. */
export type Round = readonly Figures[]

/** Loads each side with the same work, one after the other, repeatedly. */
export async function inTurn(
  peers: readonly Running[],
  work: Work,
  how: Load,
  times: number,
): Promise<readonly Round[]> {
  const rounds: Round[] = []
  for (let round = 0; round < times; round++) {
    const figures: Figures[] = []
    for (const peer of peers) figures.push(await load(peer.url, work, how))
    rounds.push(figures)
  }
  return rounds
}

/** The figures of one side. */
export function figuresOf(round: Round, index: number): Figures {
  const figures = round[index]
  if (figures === undefined) throw new Error('a round without figures')
  return figures
}

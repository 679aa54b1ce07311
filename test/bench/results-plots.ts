import type { AgainstOthers } from './against-others.ts'
import type { Flat } from './flat.ts'
import type { Growth } from './growth.ts'
import { bars, lines, sheet } from './results-svg.ts'

/** All measurements. */
export interface Measured {
  readonly compared: AgainstOthers
  readonly growth: Growth
  readonly flat: Flat
}

/** The text of results.svg. */
export function plotsOf({ compared, growth, flat }: Measured): string {
  const time = (points: Growth['lists'], title: string, unit: string) =>
    lines({
      ...{ title: `${title}: ms, p50`, x: unit, scale: 'log' },
      points: points.map(({ at, p50 }) => ({ x: at, y: p50 })),
    })
  return sheet([
    bars({
      title: 'Calls a second',
      groups: compared.works.map(({ name, peers }) => ({
        // There is room for one or two words.
        name: name.replace(/ of .*|,.*/, ''),
        bars: peers.map(({ name: peer, rate }) => ({ name: peer, value: rate })),
      })),
    }),
    time(growth.lists, 'Time of a call by the length of a list', 'rows'),
    time(growth.bodies, 'Time of a call by the size of its body', 'bytes'),
    lines({
      ...{ title: 'Calls a second by clients', x: 'clients', scale: 'log' },
      points: growth.clients.map(({ at, rate }) => ({ x: at, y: rate })),
    }),
    lines({
      ...{ title: 'Memory under load: MB', x: 'seconds', scale: 'linear' },
      points: flat.sizes.map((size, index) => ({ x: index + 1, y: size / 1e6 })),
    }),
  ])
}

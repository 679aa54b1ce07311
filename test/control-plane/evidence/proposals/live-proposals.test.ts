import { expect, it } from 'vitest'
import { skipped } from '../../../../src/control-plane/evidence/observation.ts'
import type { Learned } from '../../../../src/control-plane/evidence/proposals/learned.ts'
import { liveProposals } from '../../../../src/control-plane/evidence/proposals/live-proposals.ts'
import type { TrialResult } from '../../../../src/control-plane/evidence/proposals/trial.ts'

/** Reports an extra member at this path, which no line reads: to drop it is certain after 5 exchanges with 20 places. */
const extraAt = (legacy: string, places = 20): Learned => ({
  ...{ requests: [], limits: [] },
  differences: [{ kind: 'extra', path: legacy, v1Path: legacy.replace('[]', 'items[]'), leaves: [] }],
  paths: [
    {
      ...{ legacy, container: '[]', around: [{ legacy: '[]', v1: 'items[]' }], isWhole: false },
      ...{ places: 0, nulls: 0, missings: places, aligned: 0, candidateHas: places, extras: places, extraNulls: 0 },
      ...{ types: {}, isPersonal: false, distinct: 0, values: [], sources: [], joins: [] },
      ...{ enums: undefined, constant: undefined, elsewhere: undefined, exceptions: [] },
    },
  ],
})

const SETTLED: TrialResult = { without: [{ kind: 'extra', path: '[].old' }], withThem: [] }

/** Proposals of a list whose release and mapping a test changes. */
function start() {
  const now = { ms: 0, release: 'r1', mapping: 'm1' }
  const live = liveProposals({ existing: () => undefined, mappingOf: () => now.mapping, now: () => now.ms })
  let input = 0
  return {
    ...{ now, live },
    note: (said: { readonly learned?: Learned; readonly trial?: TrialResult }) =>
      live.note({
        ...{ ...skipped('city-list', ''), ...said, input: input++ },
        releases: { v1: now.release, legacy: undefined },
      }),
    /** Shows a member in enough exchanges. */
    show(path: string) {
      for (let exchange = 0; exchange < 6; exchange++) this.note({ learned: extraAt(path) })
      now.ms += 1_000
    },
    lines: () => Object.keys(live.toTry().operations['city-list']?.response ?? {}),
    trial: () => live.report().operations[0]?.trial,
  }
}

it('certain lines are tried, and stay the same object until they change', () => {
  const proposals = start()
  const { live, lines, note, now } = proposals
  expect(lines()).toEqual([])
  expect(live.learningOf('city-list').watched).toBeUndefined()
  proposals.show('[].old')
  expect(lines()).toEqual(['[].old'])
  const tried = live.toTry()
  note({ learned: extraAt('[].old') })
  now.ms += 1_000
  expect(live.toTry()).toBe(tried)
  expect(live.learningOf('city-list').watched?.paths).toContain('[].old')
})

it('a trial begins with its first comparison, and again when the certain lines change', () => {
  const proposals = start()
  proposals.show('[].old')
  expect(proposals.lines()).toEqual(['[].old'])
  expect(proposals.trial()).toBeNull()
  proposals.note({ trial: SETTLED })
  proposals.now.ms += 1_000
  proposals.note({ trial: SETTLED })
  expect(proposals.trial()).toEqual({
    ...{ since: '1970-01-01T00:00:01.000Z', matched: 2, mismatched: 0 },
    ...{ settled: SETTLED.without, caused: [] },
  })
  proposals.show('[].older')
  expect(proposals.lines().sort()).toEqual(['[].old', '[].older'])
  expect(proposals.trial()).toBeNull()
})

it.each([
  ['its evidence is reset', ({ live }: ReturnType<typeof start>) => live.forget('city-list'), []],
  ['v1 has a new release', forgottenAt({ release: 'r2' }), ['[].new']],
  ['its mapping is corrected', forgottenAt({ mapping: 'm2' }), ['[].new']],
] as const)('all that was found of an operation is forgotten when %s', (_, change, left) => {
  const proposals = start()
  proposals.show('[].old')
  expect(proposals.lines()).toEqual(['[].old'])
  proposals.note({ trial: SETTLED })
  change(proposals)
  proposals.now.ms += 1_000
  expect(proposals.lines()).toEqual([])
  expect(proposals.trial() ?? null).toBeNull()
  const { operations } = proposals.live.report()
  expect(operations.flatMap((found) => found.proposals.map(({ legacy }) => legacy))).toEqual(left)
})

/** The change shows in the next exchange. */
function forgottenAt(changed: { readonly release?: string; readonly mapping?: string }) {
  return (proposals: ReturnType<typeof start>): void => {
    Object.assign(proposals.now, changed)
    proposals.note({ learned: extraAt('[].new') })
  }
}

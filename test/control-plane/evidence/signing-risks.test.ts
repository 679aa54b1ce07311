import { describe, expect, it } from 'vitest'
import type { Dossier, DossierOperation } from '../../../src/control-plane/evidence/dossier/dossier.ts'
import { risksOf, standingOf } from '../../../src/control-plane/evidence/dossier/signing-risks.ts'

const SINCE = '2026-09-01T00:00:00.000Z'

function operation(id: string, changes: Partial<DossierOperation> = {}): DossierOperation {
  return {
    ...{ operation: id, says: '', legacy: { method: 'GET', path: `/${id}` }, v1: { method: 'GET', path: `/v1/${id}` } },
    ...{ effect: 'read', verdict: '', serve: 'legacy', v1Percent: 0, shadow: 1, neverCompared: null, report: null },
    ...{ losses: [], rules: [], expiredRules: [], waived: [], laws: [] },
    ...changes,
  }
}

/** A report of which only the verdict, the lines never seen and the differences matter here. */
const judged = (verdict: string): DossierOperation['report'] =>
  ({ verdict, coverage: { unseen: [] }, differences: [] }) as unknown as DossierOperation['report']

/** A dossier in which each client called the given operations. */
const dossier = (
  operations: readonly DossierOperation[],
  calls: Readonly<Record<string, readonly string[]>>,
): Dossier =>
  ({
    ...{ since: SINCE, operations },
    callers: {
      since: SINCE,
      clients: Object.entries(calls).map(([client, called]) => ({ client, operations: called })),
    },
  }) as unknown as Dossier

const hitsOf = (found: Dossier): Readonly<Record<string, string>> =>
  Object.fromEntries(risksOf(found).map(({ says, hits }) => [says, hits]))

const ALWAYS = 'Calls that nobody made since 2026-09-01, such as those of a yearly job, were not compared.'

describe('the risks that whoever signs accepts', () => {
  it('name the clients that call what has no equivalent, unknown paths, unproven writes and losses', () => {
    const operations = [
      operation('gone', { v1: null }),
      operation('create', { effect: 'write', neverCompared: 'a write' }),
      operation('priced', {
        report: judged('ready'),
        losses: [{ part: 'answer', legacy: 'price', reason: null }],
      }),
    ]
    const calls = { ann: ['gone', 'create'], bob: ['priced'], cleo: ['unknown'] }
    expect(hitsOf(dossier(operations, calls))).toEqual({
      'v1 has no equivalent: these calls fail: gone.': 'ann',
      'Paths that no mapping knows: these calls fail.': 'cleo',
      'Writes whose effect at v1 is not proven: create.': 'ann',
      'v1 has lost 1 member: priced.': 'bob',
      [ALWAYS]: 'not known',
    })
  })

  it('are never none: nobody can compare calls that nobody made', () => {
    expect(hitsOf(dossier([operation('a', { report: judged('ready') })], {}))).toEqual({ [ALWAYS]: 'not known' })
  })

  it('say since when nobody called, and count clients beyond the fifth', () => {
    const differing = [operation('a', { report: judged('not ready') })]
    const says = 'v1 answers differently than legacy: a.'
    expect(hitsOf(dossier(differing, { ann: ['unknown'] }))[says]).toBe('nobody since 2026-09-01')
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`c${at}`, ['a']]))
    expect(hitsOf(dossier(differing, many))[says]).toBe('c0, c1, c2, c3, c4 and 2 others')
  })

  it('call an operation proven only if its verdict is ready', () => {
    expect(standingOf(operation('a', { report: judged('ready') }))).toBe('proven')
    expect(standingOf(operation('a', { report: judged('insufficient data') }))).toBe('too little compared')
    expect(standingOf(operation('a'))).toBe('too little compared')
    expect(standingOf(operation('a', { neverCompared: 'a login for which only v1 is asked' }))).toBe('never compared')
  })
})

import { describe, expect, it } from 'vitest'
import type { DossierOperation } from '../../../src/control-plane/evidence/dossier/dossier.ts'
import {
  callersOf,
  countedSince,
  type OperationCalls,
} from '../../../src/control-plane/evidence/dossier/dossier-callers.ts'
import { risksOf, standingOf } from '../../../src/control-plane/evidence/dossier/signing-risks.ts'
import { NOTHING_SEEN, type Seen } from '../../../src/control-plane/usage/usage.ts'

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

/** A client's calls of an operation, which legacy answered and nobody looked at. */
const called = (client: string, id: string, more: Partial<OperationCalls> = {}): OperationCalls => ({
  ...{ client, operation: id, calls: 2, clientErrors: 0, serverErrors: 0, byV1: 0, byLegacy: 2, lastAt: SINCE },
  ...more,
})

/** What one call of a client showed. */
const showing = (marks: Partial<Seen>): Partial<OperationCalls> => ({ seen: { ...NOTHING_SEEN, calls: 1, ...marks } })

/** The clients that each risk hits. */
const hitsOf = (
  operations: readonly DossierOperation[],
  calls: readonly OperationCalls[],
): Readonly<Record<string, string>> => {
  const callers = { since: SINCE, clients: callersOf(calls) }
  return Object.fromEntries(risksOf({ since: SINCE, operations, callers, calls }).map(({ says, hits }) => [says, hits]))
}

const ALWAYS = 'Calls that nobody made since 2026-09-01, such as those of a yearly job, were not compared.'

describe('the risks that whoever signs accepts', () => {
  it('name the clients that call what has no equivalent, unknown paths, unproven writes and losses', () => {
    const operations = [
      operation('gone', { v1: null }),
      operation('create', { effect: 'write', neverCompared: 'a write' }),
      operation('priced', {
        report: judged('ready'),
        losses: [{ part: 'answer', legacy: 'price', reason: null, change: 'lost' }],
      }),
    ]
    const calls = [
      ...[called('ann', 'gone'), called('ann', 'create'), called('bob', 'priced'), called('cleo', 'unknown')],
    ]
    expect(hitsOf(operations, calls)).toEqual({
      'v1 has no equivalent: these calls fail: gone.': 'ann',
      'Paths that no mapping knows: these calls fail.': 'cleo',
      'Writes whose effect at v1 is not proven: create.': 'ann',
      'v1 has lost members of priced: answer price.': 'bob',
      [ALWAYS]: 'not known',
    })
  })

  it('are never none: nobody can compare calls that nobody made', () => {
    expect(hitsOf([operation('a', { report: judged('ready') })], [])).toEqual({ [ALWAYS]: 'not known' })
  })

  it('do not rest on days before the first call that was counted', () => {
    const calls = [
      called('ann', 'a', { firstAt: '2026-09-22T09:00:00.000Z' }),
      called('bob', 'a', { firstAt: '2026-09-21T23:00:00.000Z' }),
    ]
    const compared = '2026-09-20T00:00:00.000Z'
    expect(countedSince(calls, SINCE, compared)).toBe('2026-09-21T23:00:00.000Z')
    expect(countedSince([...calls, called('cleo', 'a')], SINCE, compared)).toBe(SINCE)
    expect(countedSince([], SINCE, compared)).toBe(compared)
    expect(countedSince([], SINCE, '2026-01-01T00:00:00.000Z')).toBe(SINCE)
  })

  it('say since when nobody called, and count clients beyond the third', () => {
    const differing = [operation('a', { report: judged('not ready') })]
    const says = 'v1 answers differently than legacy: a.'
    expect(hitsOf(differing, [called('ann', 'unknown')])[says]).toBe('nobody since 2026-09-01')
    const many = Array.from({ length: 7 }, (_, at) => called(`c${at}`, 'a'))
    expect(hitsOf(differing, many)[says]).toBe('c0, c1, c2 and 4 others')
  })

  it('do not hit clients whose calls v1 answers already, nor those that only got errors for paths that nobody knows', () => {
    const gone = [operation('a', { report: judged('not ready') })]
    const calls = [
      called('moved', 'a', { byV1: 2, byLegacy: 0 }),
      called('moving', 'a', { byV1: 1, byLegacy: 1 }),
      called('refused', 'a', { byV1: 0, byLegacy: 0 }),
      called('scanner', 'unknown', { clientErrors: 1, serverErrors: 1 }),
    ]
    expect(hitsOf(gone, calls)).toEqual({
      'v1 answers differently than legacy: a.': 'moving and refused',
      [ALWAYS]: 'not known',
    })
  })

  it('hit, where members are lost, those whose calls showed one, and those whose calls nobody looked at', () => {
    const lost = (part: string, legacy: string, change = 'lost') => ({ part, legacy, change, reason: null })
    const losses = [lost('request', 'unit'), lost('request', 'status', 'removed value'), lost('answer', 'price')]
    const priced = operation('priced', { report: judged('ready'), losses })
    const calls = [
      called('sends', 'priced', showing({ members: { unit: 1 } })),
      called('removed', 'priced', showing({ removed: { status: 1 } })),
      called('gets', 'priced', showing({ answered: { price: 1 } })),
      called('unseen', 'priced', showing({ calls: 0 })),
      called('other', 'priced', showing({ members: { status: 1 }, answered: { unit: 1 } })),
      called('elsewhere', 'free', showing({ members: { unit: 1 } })),
    ]
    const says = 'v1 has lost members of priced: request unit and status; answer price.'
    const all = [priced, operation('free', { report: judged('ready') })]
    expect(hitsOf(all, calls)[says]).toBe('sends, removed, gets and 1 other')
    expect(hitsOf(all, calls.slice(4))[says]).toBe('nobody seen since 2026-09-01')
  })

  it('name five lost members of an operation, and count the others', () => {
    const losses = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((legacy) => ({
      ...{ part: 'answer', legacy, reason: null, change: 'lost' },
    }))
    expect(Object.keys(hitsOf([operation('x', { report: judged('ready'), losses })], []))[0]).toBe(
      'v1 has lost members of x: answer a, b, c, d, e and 2 others.',
    )
  })

  it('call an operation proven only if its verdict is ready', () => {
    expect(standingOf(operation('a', { report: judged('ready') }))).toBe('proven')
    expect(standingOf(operation('a', { report: judged('insufficient data') }))).toBe('too little compared')
    expect(standingOf(operation('a'))).toBe('too little compared')
    expect(standingOf(operation('a', { neverCompared: 'a login for which only v1 is asked' }))).toBe('never compared')
  })
})

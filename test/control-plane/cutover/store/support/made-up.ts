import { randomUUID } from 'node:crypto'
import type { NewEntry } from '../../../../../src/control-plane/cutover/audit.ts'
import type { Decision } from '../../../../../src/control-plane/cutover/cutover-store.ts'
import type { Answered, SideAnswers } from '../../../../../src/control-plane/cutover/position.ts'

export const side = (calls: number, failures = 0): SideAnswers => ({ calls, failures, times: [[10, calls - failures]] })

/** What a process answered of `one`, the legacy service as often as v1. */
export const answered = (stage: number, calls: number, failures = 0): Answered => ({
  ...{ operation: 'one', stage, v1: side(calls, failures), legacy: side(calls) },
})

export const entry = (change: Partial<NewEntry> = {}): NewEntry => ({
  ...{ id: randomUUID(), event: 'advanced', operation: 'one', by: 'auto', from: 'waiting', to: 'running at 5 %' },
  ...{ why: 'its time has come', lineage: '{"mapping":"m"}', counts: '{"calls":100,"failures":1}' },
  ...change,
})

/** The decision that makes a position's version this one; each is a new step unless told. */
export function decision(version: number, change: Partial<Decision> & { readonly operation?: string } = {}): Decision {
  const { operation = 'one', isNewStage = true, stage = version, ...others } = { stage: undefined, ...change }
  return {
    position: {
      ...{ operation, version, state: 'running', percent: 5, step: 1, stage: stage ?? version },
      ...{ approved: null, by: 'auto', why: 'its time has come' },
    },
    isNewStage,
    entry: entry({ operation }),
    message: { event: 'advanced', operation },
    ...others,
  }
}

import { z } from 'zod'
import { StateError } from '../../state/state-error.ts'
import type { SideAnswers } from '../answered.ts'
import type { Position } from '../position.ts'
import type { BothSides } from './add-answered.ts'

const count = z.int().nonnegative()
const position: z.ZodType<Position> = z.object({
  ...{ operation: z.string(), version: count, percent: z.number().min(0).max(100), step: count, stage: count },
  state: z.enum(['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done']),
  ...{ since: z.iso.datetime(), approved: z.number().nullable(), by: z.string(), why: z.string() },
})

/** @throws StateError that names the row. */
export const positionIn = (doc: string, operation: string): Position =>
  parsed(doc, `position of ${operation}`, (value) => position.parse(value))

/** @throws StateError that names the row. */
export const bothSidesIn = (counts: string, operation: string): BothSides =>
  parsed(counts, `answered of ${operation}`, (value) => {
    const { v1, legacy } = value as BothSides
    if (isSide(v1) && isSide(legacy)) return { v1, legacy }
    throw new Error('it is not what both sides answered')
  })

/** Checked by hand, because hundreds are read every second. */
const isSide = ({ calls, failures, times }: SideAnswers): boolean =>
  isCount(calls) && isCount(failures) && times.every(([bucket, often]) => Number.isInteger(bucket) && isCount(often))
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

function parsed<Type>(text: string, what: string, typeOf: (value: unknown) => Type): Type {
  try {
    return typeOf(JSON.parse(text))
  } catch (error) {
    throw new StateError(`a row of the table ${what} cannot be read; restore it from a backup, or delete it`, false, {
      cause: error,
    })
  }
}

import { z } from 'zod'
import { StateError } from '../../state/state-error.ts'
import type { Position } from '../position.ts'
import type { BothSides } from './add-answered.ts'

const count = z.int().nonnegative()
const side = z.object({ calls: count, failures: count, times: z.array(z.tuple([z.int(), count])) })
const bothSides: z.ZodType<BothSides> = z.object({ v1: side, legacy: side })

const position: z.ZodType<Position> = z.object({
  ...{ operation: z.string(), version: count, percent: z.number().min(0).max(100), step: count, stage: count },
  state: z.enum(['waiting', 'running', 'awaiting approval', 'paused', 'stopped', 'done']),
  ...{ since: z.iso.datetime(), isApproved: z.boolean(), by: z.string(), why: z.string() },
})

/** @throws StateError that names the row. */
export const positionIn = (doc: string, operation: string): Position =>
  parsed(position, doc, `position of ${operation}`)

/** @throws StateError that names the row. */
export const bothSidesIn = (counts: string, operation: string): BothSides =>
  parsed(bothSides, counts, `answered of ${operation}`)

function parsed<Type>(type: z.ZodType<Type>, text: string, what: string): Type {
  try {
    return type.parse(JSON.parse(text))
  } catch (error) {
    throw new StateError(`a row of the table ${what} cannot be read; restore it from a backup, or delete it`, false, {
      cause: error,
    })
  }
}

import { z } from 'zod'
import { brownoutKey } from './brownout-key.ts'

/** Reads only what distinguishes brownouts. What is invalid by itself is reported elsewhere. */
const told = z.object({ from: z.iso.datetime({ offset: true }), operations: z.array(z.string()) })
const file = z.object({ brownouts: z.array(told.optional().catch(undefined)) })

/**
 * Returns the brownouts that begin when an earlier one in the file does and have the same operations, with their places. Their calls would
 * count together, and they would choose the same clients.
 * @param json the file, which may be invalid in any way.
 */
export function equalBrownouts(json: unknown): readonly string[] {
  const first = new Map<string, number>()
  return (file.safeParse(json).data?.brownouts ?? []).flatMap((rule, at) => {
    if (rule === undefined) return []
    const key = brownoutKey(rule)
    const before = first.get(key)
    if (before === undefined) first.set(key, at)
    return before === undefined ? [] : [`brownouts.${at}: ${whyNot(before)}`]
  })
}

const whyNot = (before: number): string =>
  `has the same from and operations as brownouts.${before}, so their calls would count together; change one of them`

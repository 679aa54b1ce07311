import { z } from 'zod'
import { distance } from './similar.ts'

/** A line of a mapping that need not be seen. */
export interface WaiveRule {
  /** An operation's id, or `*`. */
  readonly operation: string
  /** A line of the mapping: `request statusId`. */
  readonly line: string
  readonly why: string
  /** Who decided it. */
  readonly by: string
}

/** Returns the lines to be seen of an operation, as `lineText` writes them. */
export type LinesOf = (operation: string) => readonly string[]

const said = z.string().trim().min(1)

/**
 * Returns the schema of a rule that waives a line of an operation's mapping, or with `*` a line of any mapping.
 * @param named the schema of an operation.
 */
export const waiveRule = (named: z.ZodType<string>, ids: readonly string[], linesOf: LinesOf) =>
  z.strictObject({ operation: named, line: z.string(), why: said, by: said }).check(({ value, issues }) => {
    const { operation, line } = value
    const lines = [...new Set(ids.filter((id) => operation === '*' || operation === id).flatMap(linesOf))]
    if (lines.includes(line)) return
    const where = operation === '*' ? 'any operation' : operation
    issues.push({ code: 'custom', path: ['line'], message: noSuchLine(line, where, lines), input: value })
  })

/** The most lines that are suggested. */
const NEAR = 3

function noSuchLine(line: string, operation: string, lines: readonly string[]): string {
  const problem = `${JSON.stringify(line)} is not a line to be seen of ${operation}`
  if (lines.length === 0) return `${problem}: it has none`
  const meant = line.trim()
  const near = lines.map((other) => ({ other, far: other.includes(meant) ? 0 : distance(meant, other) }))
  near.sort((a, b) => a.far - b.far)
  const names = near.slice(0, NEAR).map(({ other }) => JSON.stringify(other))
  return `${problem}; similar lines: ${names.join(', ')}`
}

import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/**
 * The share of what the process may use. The rest is for code, cached lists, connections and garbage that is not
 * collected yet.
 */
const SHARE = 0.6

/**
 * Returns how many bytes bodies and answers may take if MEMORY_MB is not set: a share of the control group's limit (v1
 * or v2), or else of the machine's memory, but no more than the heap may grow to (`--max-old-space-size`), so that an
 * operator can keep a process small.
 */
export function fittingMemory(
  limits: { readonly constrained: number; readonly machine: number; readonly heap: number } = {
    constrained: process.constrainedMemory(),
    machine: totalmem(),
    heap: getHeapStatistics().heap_size_limit,
  },
): number {
  // Without a limit it is 0, or more than any machine has.
  const mayUse = limits.constrained > 0 ? Math.min(limits.constrained, limits.machine) : limits.machine
  return Math.floor(Math.min(mayUse * SHARE, limits.heap))
}

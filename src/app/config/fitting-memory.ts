import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** Of what the process may use. The rest is for the programs, kept lists, connections, and what the collector has not seen to. */
const SHARE = 0.6

/**
 * How much memory bodies and answers may take where nobody says, in bytes: by the limit of the control group (v1 or v2), else by
 * the machine; and no more than the heap may grow to (`--max-old-space-size`): whoever wants a small process gets one.
 */
export function fittingMemory(
  most: { readonly constrained: number; readonly machine: number; readonly heap: number } = {
    constrained: process.constrainedMemory(),
    machine: totalmem(),
    heap: getHeapStatistics().heap_size_limit,
  },
): number {
  // Without a limit it is 0, or more than any machine has.
  const mayUse = most.constrained > 0 ? Math.min(most.constrained, most.machine) : most.machine
  return Math.floor(Math.min(mayUse * SHARE, most.heap))
}

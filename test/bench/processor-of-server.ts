import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PostgresServer } from '../support/postgres.ts'

/** Returns the processor time that the server's processes take meanwhile; ms. */
export async function processorMsDuring(
  { folder }: PostgresServer,
  seconds: number,
  work: (isOver: () => boolean) => Promise<unknown> = () => Promise.resolve(),
): Promise<number> {
  const pid = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const before = processorMs(pid)
  const end = performance.now() + seconds * 1_000
  await Promise.all([work(() => performance.now() > end), wait(seconds * 1_000)])
  return processorMs(pid) - before
}

/** Linux counts the time of processes that have ended in hundredths of a second, and that of others in nanoseconds. */
const TICK_MS = 10

/** Of a process, its children, and those of them that have ended. */
function processorMs(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  const ended = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(13, 15)
    .map(Number)
    .reduce((sum, ticks) => sum + ticks * TICK_MS, 0)
  return [pid, ...children].reduce((sum, one) => sum + runMs(one), ended)
}

function runMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    // It has just ended.
    return 0
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { JsonError } from '../engine/json/json-scan.ts'
import type { Reply, Task } from './messages.ts'
import { openTasks } from './tasks.ts'
import { bytesIn } from './transfer.ts'

/*
 * The other thread: does one task after the other, and hands the memory of its result over. What it was given is nobody's
 * any more, and is let go of at once: its collector, which sees small objects alone, would come late.
 */

const tasks = openTasks((workerData as { readonly key: Uint8Array }).key) as unknown as Readonly<
  Record<string, (...args: readonly unknown[]) => unknown>
>

parentPort?.on('message', ({ name, args }: Task) => {
  const reply = answer(name, args)
  const theirs = bytesIn('result' in reply ? reply.result : undefined)
  parentPort?.postMessage(reply, [...theirs])
  for (const buffer of bytesIn(args)) if (!buffer.detached) buffer.transfer(0)
})

function answer(name: string, args: readonly unknown[]): Reply {
  try {
    return { result: tasks[name]?.(...args) }
  } catch (error) {
    const { name: kind, message, stack } = error as Error
    return { error: { kind, message, stack, position: error instanceof JsonError ? error.position : 0 } }
  }
}

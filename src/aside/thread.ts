import { parentPort, workerData } from 'node:worker_threads'
import { JsonError } from '../engine/json/json-scan.ts'
import type { Reply, Task } from './messages.ts'
import { openTasks } from './tasks.ts'
import { bytesIn } from './transfer.ts'

/*
 * The worker thread. Runs one task after the other, and transfers the memory of each result. Frees the memory of its
 * arguments at once, because nothing else uses them: the garbage collector sees only the small objects around it, and
 * would run late.
 */

const tasks = openTasks((workerData as { readonly key: Uint8Array }).key) as unknown as Readonly<
  Record<string, (...args: readonly unknown[]) => unknown>
>

parentPort?.on('message', ({ name, args }: Task) => {
  const reply = answer(name, args)
  const transferred = bytesIn('result' in reply ? reply.result : undefined)
  parentPort?.postMessage(reply, [...transferred])
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

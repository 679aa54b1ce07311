import { parentPort } from 'node:worker_threads'
import { JsonError } from '../engine/json/scan-json.ts'
import type { Reply, Task } from './messages.ts'
import { bytesIn } from './transfer.ts'

/**
 * Answers the tasks of this worker thread, one after the other, and transfers the memory of each result. Frees the memory of
 * the arguments at once, because nothing else uses it. The garbage collector sees only the small objects around that memory,
 * and would run late.
 * @param tasks by name. Arguments and results are plain data.
 */
export function answerTasks(tasks: object): void {
  const byName = tasks as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>
  const answer = ({ name, args }: Task): Reply => {
    try {
      return { result: byName[name]?.(...args) }
    } catch (error) {
      const { name: kind, message, stack } = error as Error
      const { position, what } = error instanceof JsonError ? error : { position: 0, what: undefined }
      return { error: { kind, message, stack, position, what } }
    }
  }
  parentPort?.on('message', (task: Task) => {
    const reply = answer(task)
    const transferred = bytesIn('result' in reply ? reply.result : undefined)
    parentPort?.postMessage(reply, [...transferred])
    for (const buffer of bytesIn(task.args)) if (!buffer.detached) buffer.transfer(0)
  })
}

import { answerTasks } from '../../../src/workers/one-at-a-time.ts'

/** What a thread does that has a mistake. */
const tasks = {
  hang(): never {
    for (;;);
  },
  die: (): never => process.exit(3),
  fail: (): never => {
    throw new RangeError('no')
  },
  echo: (value: unknown): unknown => value,
}

export type ObstinateTasks = typeof tasks

answerTasks(tasks)

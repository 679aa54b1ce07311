import { answerTasks } from '../../../src/aside/answer-tasks.ts'

/** What a thread does that has a mistake. */
answerTasks({
  hang() {
    for (;;);
  },
  die: () => process.exit(3),
  fail: () => {
    throw new RangeError('no')
  },
  echo: (value: unknown) => value,
})

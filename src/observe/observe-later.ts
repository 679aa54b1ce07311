import type { CallRecord, Observe } from './observe-call.ts'

/**
 * Hands records on when the answers of this turn of the event loop are on their way, all together: no answer waits for its own
 * log line, and the same work done many times in a row costs far less than in between.
 */
export function observeLater(observe: Observe): Observe {
  let records: CallRecord[] = []
  const handOn = (): void => {
    const due = records
    records = []
    for (const record of due) observe(record)
  }
  return (record) => {
    if (records.push(record) === 1) process.nextTick(handOn)
    // What goes wrong is told at once.
    if (record.failure !== undefined) handOn()
  }
}

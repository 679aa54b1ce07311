import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { insertRow, inTransaction } from '../../../src/sandbox/store/sandbox-rows.ts'
import { openStore } from '../../../src/sandbox/store/sandbox-store.ts'
import { invoiceOf } from '../../sandbox/many-invoices.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startGateway } from '../../support/start-gateway.ts'

/** More than v1 gives on a page, so that a large legacy page is composed of several. */
const MORE_INVOICES = 300
const DEMO_ORGANIZATION = 1
const NOW = Date.parse('2025-02-03T04:05:06.789Z')

/**
 * Legacy addresses of two services with the same content: `legacy` is the legacy face of one sandbox, `gateway` is in
 * front of both faces of another. Each has a store and the same clock, so the same calls in the same order get the same
 * answers.
 */
export async function startSides(): Promise<{ readonly legacy: string; readonly gateway: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'clients-'))
  const [control, candidate] = [join(folder, 'control.db'), join(folder, 'candidate.db')]
  writeStore(control)
  await copyFile(control, candidate)
  const sandboxes = await Promise.all([startOn(control), startOn(candidate)])
  closeAtEnd(async () => {
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
    await rm(folder, { recursive: true })
  })
  const [{ legacyUrl: legacy = '' }, { v1Url, legacyUrl = '' }] = sandboxes
  const gateway = await startGateway(v1Url, { legacyUrl })
  return { legacy, gateway: gateway.url }
}

const startOn = (db: string) => startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db, now: () => NOW })

function writeStore(file: string): void {
  const db = openStore(file)
  inTransaction(db, () => {
    for (let count = 0; count < MORE_INVOICES; count++) {
      insertRow(db, 'invoices', invoiceOf(DEMO_ORGANIZATION, `MORE-${count}`))
    }
  })
  db.close()
}

import { expect } from 'vitest'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { askLegacy, logInToLegacy } from '../legacy/legacy-client.ts'
import { demo, logIn } from '../sandbox-client.ts'

/** A sandbox with both faces, either of which can be made to fail. */
export interface FaultySandbox extends Sandbox {
  legacyUrl: string
  tokens: { v1: string; legacy: string }
  /** Sets a fault of the legacy face. Returns its id. */
  set(fault: object): Promise<number>
  setInV1(fault: object): Promise<number>
  /** Unsets every fault of both faces. */
  clear(): Promise<void>
  /** Requests one invoice from the legacy face. */
  invoices(headers?: Record<string, string>): Promise<Response>
  invoicesOfV1(headers?: Record<string, string>): Promise<Response>
}

export const invoiceList = '/api/invoice/list'
export const v1InvoiceList = '/api/v1/finance/invoices'

export async function startFaultySandbox(): Promise<FaultySandbox> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  const { v1Url, legacyUrl = '' } = sandbox
  const tokens = { v1: await logIn(sandbox, demo), legacy: await logInToLegacy(sandbox, demo) }
  const setAt = async (url: string, fault: object) => {
    const { status, body, text } = await askLegacy<{ id: number }>({ legacyUrl: url }, '/sandbox/faults', {
      body: fault,
    })
    expect(status, text).toBe(201)
    return body.id
  }
  return {
    ...sandbox,
    legacyUrl,
    tokens,
    set: (fault) => setAt(legacyUrl, fault),
    setInV1: (fault) => setAt(v1Url, fault),
    async clear() {
      for (const url of [v1Url, legacyUrl]) await fetch(`${url}/sandbox/faults`, { method: 'DELETE' })
    },
    invoices: (headers = {}) =>
      fetch(legacyUrl + invoiceList, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tokens.legacy}`, ...headers },
        body: '{"perPage":1}',
      }),
    invoicesOfV1: (headers = {}) =>
      fetch(`${v1Url}${v1InvoiceList}?perPage=1`, { headers: { Authorization: `Bearer ${tokens.v1}`, ...headers } }),
  }
}

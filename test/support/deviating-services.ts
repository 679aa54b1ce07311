import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Corrections, OperationCorrections } from '../../src/mapping/corrections/corrections.ts'
import { removeAtEnd } from './clean-up.ts'
import { startHttpServer } from './http-server.ts'
import { type SideBySide, startSideBySide } from './side-by-side.ts'
import type { Settings } from './start-gateway.ts'
import { v1Page, v1Record } from './v1-bodies.ts'

export const CITIES = '/city/all'
export const COUNTRIES = '/country/all'
export const INVOICES = '/api/invoice/list'

/** What legacy answers where v1 has another name for the plate of a city and the number of an invoice. */
const LEGACY: Readonly<Record<string, unknown>> = {
  [CITIES]: [{ id: 1, name: 'Adana', plate: '01' }],
  [COUNTRIES]: [],
  [INVOICES]: { data: [{ id: 1, number: 'A-1' }], pagination: { count: 1, page: 1, perPage: 25, lastPage: 1 } },
}

/** Corrects the two. */
export const PLATE: OperationCorrections = { response: { '[].plate': { from: 'items[].plateCode' } } }
export const NUMBER: OperationCorrections = { response: { 'data[].number': { from: 'items[].invoiceNumber' } } }

/** Two services that differ where the contract is silent, and a gateway in front of them that reads a mapping file. */
export interface Deviating extends SideBySide {
  readonly mappingFile: string
  /** Puts a version in place by a rename. */
  rename(file: Corrections | string): void
  /** Writes it in place. */
  write(file: Corrections | string): void
  /** From now on v1's (or legacy's) answers at this path wait until the function that it returns is called. */
  hold(side: 'v1' | 'legacy', path: string): () => void
  /** How many calls v1 has got at a path, without those that only find out whether it is there. */
  askedV1(path: string): number
  /** Makes v1's invoices so many. */
  invoices(count: number): void
}

const textOf = (file: Corrections | string): string => (typeof file === 'string' ? file : JSON.stringify(file))

/**
 * @param first the first version of the mapping file.
 * @param rollout everything is compared, and v1 answers, unless it says otherwise.
 */
export async function startDeviating(
  first: Corrections | string = { operations: {} },
  rollout: object = { operations: { '*': { serve: 'v1', shadow: 1 } } },
  settings: (folder: string) => Partial<Settings> = () => ({}),
): Promise<Deviating> {
  const folder = mkdtempSync(join(tmpdir(), 'mapping-file-'))
  removeAtEnd(folder)
  const mappingFile = join(folder, 'mapping.json')
  writeFileSync(mappingFile, textOf(first))
  const held = new Map<string, Promise<void>>()
  let invoices = 1
  const items: Readonly<Record<string, () => readonly object[]>> = {
    cities: () => [{ id: 1, name: 'Adana', plateCode: '01' }],
    countries: () => [],
    invoices: () => Array.from({ length: invoices }, (_, at) => ({ id: at + 1, invoiceNumber: `A-${at + 1}` })),
  }
  const v1 = await startHttpServer(async ({ target }, response) => {
    const path = target.split('?')[0] ?? ''
    await held.get(`v1 ${path}`)
    const rows = items[path.split('/').at(-1) ?? '']?.()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(rows === undefined ? v1Record({ token: 'v' }) : v1Page(rows, { perPage: 25 })))
  })
  const legacy = await startHttpServer(async ({ target }, response) => {
    const path = target.split('?')[0] ?? ''
    await held.get(`legacy ${path}`)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(LEGACY[path] ?? { token: 't' }))
  })
  const sides = await startSideBySide(rollout, {
    ...{ v1Url: v1.url, legacyUrl: legacy.url },
    settings: (stored) => ({ mappingFile, ...settings(stored) }),
  })
  return {
    ...sides,
    mappingFile,
    rename(file) {
      writeFileSync(`${mappingFile}.new`, textOf(file))
      renameSync(`${mappingFile}.new`, mappingFile)
    },
    write: (file) => writeFileSync(mappingFile, textOf(file)),
    hold(side, path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(`${side} ${path}`, promise)
      return () => {
        held.delete(`${side} ${path}`)
        resolve()
      }
    },
    askedV1: (path) =>
      v1.received.filter(({ target }) => target.split('?')[0] === path && !target.endsWith('?perPage=1')).length,
    invoices(count) {
      invoices = count
    },
  }
}

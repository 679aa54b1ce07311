import { Pool } from 'undici'
import { legacyCountry, rateTimesOf } from './by-hand.ts'
import type { country } from './v1-answers.ts'

/** Like the gateway, a peer reads the lists of v1 once and keeps them. */
export interface KeptLists {
  /** The whole list as legacy answers it: JSON. */
  countries(): Promise<string>
  rateTimes(): Promise<ReadonlyMap<string, string>>
}

const FRESH_MS = 300_000

export function keptLists(v1: string, token: string): KeptLists {
  const pool = new Pool(v1, { connections: 4 })
  const read = async <Row>(path: string): Promise<readonly Row[]> => {
    const rows: Row[] = []
    for (let page = 1, pageCount = 1; page <= pageCount; page++) {
      const headers = { authorization: token }
      const { body } = await pool.request({ method: 'GET', path: `${path}?page=${page}&perPage=200`, headers })
      const { items, meta } = (await body.json()) as { items: Row[]; meta: { pageCount: number } }
      rows.push(...items)
      pageCount = meta.pageCount
    }
    return rows
  }
  return {
    countries: kept(async () => {
      const rows = await read<ReturnType<typeof country>>('/api/v1/public/shared/countries')
      return JSON.stringify(rows.map(legacyCountry))
    }),
    rateTimes: kept(async () => rateTimesOf(await read('/api/v1/shared/currencies'))),
  }
}

function kept<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  let freshUntil = 0
  return () => {
    if (value === undefined || performance.now() > freshUntil) {
      value = read()
      freshUntil = performance.now() + FRESH_MS
    }
    return value
  }
}

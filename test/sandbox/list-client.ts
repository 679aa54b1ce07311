import { expect } from 'vitest'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { ask, type ErrorBody, type ListBody } from './sandbox-client.ts'

export type Query = Record<string, string>

/** One list of one sandbox, called over real HTTP, always with the same token. */
export interface ListClient<Item> {
  /** Reads one page, which must be a success. */
  page(query: Query, language?: string): Promise<ListBody<Item>>
  /** Reads the whole list as docs/contract.md 11.2 says: perPage 200, up to meta.pageCount. */
  whole(query: Query, language?: string): Promise<Item[]>
  /** Expects a 422 with exactly these violations, in order and in both languages: path, Turkish, English. */
  refuses(
    query: Query | string,
    errors: readonly (readonly [path: string, turkish: string, english: string])[],
  ): Promise<void>
}

/** With `part`, every page is one of that part of the list. */
export function listClient<Item>(sandbox: Sandbox, path: string, token?: string, part: Query = {}): ListClient<Item> {
  const send = <Body>(query: Query | string, language?: string) =>
    ask<Body>(sandbox, `${path}?${new URLSearchParams(query)}`, {
      ...(language !== undefined && { language }),
      ...(token !== undefined && { token }),
    })

  async function page(query: Query, language?: string) {
    const reply = await send<ListBody<Item>>({ ...part, ...query }, language)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }

  async function whole(query: Query, language?: string) {
    const items: Item[] = []
    for (let number = 1, pageCount = 1; number <= pageCount; number++) {
      const body = await page({ ...query, page: String(number), perPage: '200' }, language)
      pageCount = body.meta.pageCount
      items.push(...body.items)
    }
    return items
  }

  async function refuses(query: Query | string, errors: readonly (readonly [string, string, string])[]) {
    for (const language of ['tr', 'en']) {
      const reply = await send<ErrorBody>(query, language)
      expect(reply.status, JSON.stringify(query).slice(0, 60)).toBe(422)
      expect(reply.body).toEqual({
        success: false,
        code: 'VALIDATION_FAILED',
        message: language === 'en' ? 'Validation failed.' : 'Doğrulama başarısız oldu.',
        errors: errors.map(([path, turkish, english]) => ({ path, message: language === 'en' ? english : turkish })),
      })
    }
  }

  return { page, whole, refuses }
}

/** The messages about a parameter, in Turkish and in English. */
export const messages = {
  empty: ['Bu alan boş olamaz.', 'This field must not be empty.'],
  text: ['Tek bir metin olmalıdır.', 'Must be a single string.'],
  atLeast1: ['1 veya daha büyük bir tam sayı olmalıdır.', 'Must be a whole number of at least 1.'],
  upTo200: ['1 ile 200 arasında bir tam sayı olmalıdır.', 'Must be a whole number from 1 to 200.'],
  upTo8: ['En fazla 8 karakter olabilir.', 'Must be at most 8 characters long.'],
  upTo255: ['En fazla 255 karakter olabilir.', 'Must be at most 255 characters long.'],
  bool: ['Şunlardan biri olmalıdır: true, false.', 'Must be one of: true, false.'],
  flag: ['Şunlardan biri olmalıdır: 0, 1, true, false.', 'Must be one of: 0, 1, true, false.'],
  ids: [
    '1 veya daha büyük tam sayılardan oluşan, virgülle ayrılmış bir liste olmalıdır.',
    'Must be a list of whole numbers of at least 1, separated by commas.',
  ],
  codes: [
    'Her biri en fazla 3 karakter olan, virgülle ayrılmış bir liste olmalıdır.',
    'Must be a list of codes of at most 3 characters each, separated by commas.',
  ],
} as const

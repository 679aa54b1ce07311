import { expect } from 'vitest'
import type { demo } from '../sandbox-client.ts'

export interface LegacyReply<Body> {
  status: number
  headers: Headers
  text: string
  /** Undefined when it has none. */
  body: Body
}

export interface LegacyAsked {
  method?: string
  language?: string
  /** Empty: no Authorization header. */
  token?: string
  /** Text and bytes are sent unchanged, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

export interface LegacyError {
  message: string
  violations?: { propertyPath: string; message: string }[]
  params?: { options: object }
}

export interface LegacyPage<Row> {
  data: Row[]
  pagination: { count: number; page: number; perPage: number; lastPage: number }
}

/** One request to the legacy face over real HTTP. */
export async function askLegacy<Body>(
  { legacyUrl }: { legacyUrl: string | undefined },
  path: string,
  { method, language, token, body, headers }: LegacyAsked = {},
): Promise<LegacyReply<Body>> {
  const response = await fetch(legacyUrl + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(language !== undefined && { 'Accept-Language': language }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    }),
  })
  const text = await response.text()
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, text, body: parsed as Body }
}

export async function logInToLegacy(
  urls: { legacyUrl: string | undefined },
  credentials: typeof demo,
): Promise<string> {
  const { body } = await askLegacy<{ token: string }>(urls, '/auth/application', { body: credentials })
  return body.token
}

/** Expects a 400 that names these paths, in this order, each with its message. */
export function violates(language: 'tr' | 'en', violations: Record<string, unknown>): LegacyError {
  return {
    message: language === 'en' ? 'Validation failed.' : 'Doğrulama başarısız oldu.',
    violations: Object.entries(violations).map(([propertyPath, message]) => ({
      propertyPath,
      message: message as string,
    })),
  }
}

/** The form of times in the legacy interface. */
export const legacyTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/

/** The form of a sentence. Some begin with the value that they are about. */
export const someMessage = expect.stringMatching(/^\S.+\.$/)

export const notFoundImport = {
  tr: 'Tek noktadan ithalat bulunamadı.',
  en: 'Single point import is not found.',
} as const

export const unexpected = { tr: 'Beklenmeyen bir hata oluştu.', en: 'An unexpected error occurred.' } as const

export const languages = ['tr', 'en'] as const

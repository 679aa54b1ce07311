import { languageOf } from '../../data-plane/gateway/errors/legacy-messages.ts'
import type { PageRequest } from '../../engine/translate-parameters.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import type { Operation } from '../../mapping/operation.ts'
import { curlCommand, headersOf, shownBody, withoutSecrets } from './curl.ts'

/** A v1 request, ready to be made. */
export interface ExplainedRequest {
  readonly method: string
  readonly url: string
  /** As in docs/contract.md 2.3 and 3.2, with `Bearer <ACCESS_TOKEN>` instead of a token. */
  readonly headers: Readonly<Record<string, string>>
  /** As the gateway would send it, with the names of secrets instead of their values. Null if there is none. */
  readonly body: string | null
  /** The request as a command for a POSIX shell. */
  readonly curl: string
}

interface ExplainedRequests {
  readonly requests: readonly ExplainedRequest[]
  /** Which further requests follow, and how answers are combined, in sentences. */
  readonly next: readonly string[]
}

/** The most pages to show. */
const MOST_SHOWN = 3

/** Returns the requests of a translated call; only the first few of many. */
export function explainRequests(
  v1BaseUrl: URL,
  { authorization, response }: Operation,
  call: V1Call,
  acceptLanguage: string | undefined,
): ExplainedRequests {
  const { pages, next } = response.kind === 'whole-list' ? wholeList(response.paging) : pagesOf(call)
  // Without Accept-Language, v1 answers in Turkish, as legacy does.
  const language = acceptLanguage === undefined ? undefined : languageOf(acceptLanguage)
  const headers = headersOf(authorization === 'token', language, call.body && 'application/json')
  const body = call.body === undefined ? undefined : withoutSecrets(call.body)
  const root = addressOf(v1BaseUrl)
  const requests = pages.map((page) => {
    const query = [call.query, page].filter((part) => part !== '').join('&')
    const url = `${root}${call.path}${query === '' ? '' : `?${query}`}`
    const curl = curlCommand({ method: call.method, url, headers, body, token: 'V1_TOKEN' })
    return { method: call.method, url, headers, body: body === undefined ? null : shownBody(body), curl }
  })
  return { requests, next }
}

/** Returns the address of a service without a trailing slash. */
export const addressOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}`

/** Joins sentences; without any, there is no member. */
export function inWords(sentences: readonly string[]): { readonly then?: string } {
  // biome-ignore lint/suspicious/noThenProperty: a text, which is never taken for a promise
  return sentences.length === 0 ? {} : { then: sentences.join(' ') }
}

/** The queries of v1's pages, and what happens to the pages. */
interface Pages {
  readonly pages: readonly string[]
  readonly next: readonly string[]
}

type Paging = PageRequest['paging']

const pageQuery = ({ page, perPage }: Paging, number: number, rows: number): string =>
  `${page}=${number}&${perPage}=${rows}`

function wholeList(paging: Paging): Pages {
  const { page, mostPerPage } = paging
  return {
    pages: [pageQuery(paging, 1, mostPerPage)],
    next: [`Then ${page}=2, ${page}=3, … up to meta.pageCount. Legacy answers the rows of all pages as one array.`],
  }
}

function pagesOf({ page: asked, matchesNothing }: V1Call): Pages {
  if (asked === undefined) return { pages: [''], next: [] }
  const { paging, page, perPage } = asked
  if (matchesNothing) {
    return {
      pages: [pageQuery(paging, 1, 1)],
      next: ['v1 removed a requested value, so nothing can match: legacy answers an empty page.'],
    }
  }
  if (perPage <= paging.mostPerPage) return { pages: [pageQuery(paging, page, perPage)], next: [] }
  return stitched(asked)
}

function stitched({ paging, page, perPage }: PageRequest): Pages {
  const most = paging.mostPerPage
  const before = (page - 1) * perPage
  const first = Math.floor(before / most) + 1
  const last = Math.ceil((before + perPage) / most)
  const numbers = Array.from({ length: Math.min(last - first + 1, MOST_SHOWN) }, (_, index) => first + index)
  const pages = numbers.length < last - first + 1 ? `Then up to ${paging.page}=${last}` : 'Read these pages'
  return {
    pages: numbers.map((number) => pageQuery(paging, number, most)),
    next: [
      `${pages}, but none beyond meta.pageCount. Legacy answers rows ${before + 1} to ${before + perPage} of the list, which begin with row ${(before % most) + 1} of the first of these pages.`,
    ],
  }
}

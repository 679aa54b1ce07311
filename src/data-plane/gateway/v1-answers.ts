import { JsonError } from '../../engine/json/scan-json.ts'
import { skipValue, startOfText } from '../../engine/json/walk-json.ts'
import { itemsAt, memberText } from '../../engine/json-members.ts'
import type { V1Answer } from '../../exchange/exchange.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { GuardedUpstream } from '../upstream/guard.ts'

/** Collects what v1 itself answers to one call. */
interface V1Answers {
  /** Asks v1, and keeps a copy of each answer. */
  readonly v1: GuardedUpstream
  /**
   * Returns v1's answer: its error, if it refused; of a list that was read in pages, one body with the rows of all pages. Undefined:
   * there is none, or it is larger than `most` bytes.
   */
  whole(operation: Operation, most: number): V1Answer | undefined
}

/** Keeps what v1 answers to one call, before it is translated. */
export function collectV1(v1: GuardedUpstream): V1Answers {
  const answers: (V1Answer & { readonly path: string })[] = []
  return {
    v1: {
      lanes: v1.lanes,
      close: v1.close,
      async call(request) {
        const answer = await v1.call(request)
        // The gateway frees an answer's memory as soon as it has translated it.
        answers.push({ path: request.path, status: answer.status, body: new Uint8Array(answer.body) })
        return answer
      },
    },
    whole(operation, most) {
      if (answers.reduce((sum, { body }) => sum + body.length, 0) > most) return undefined
      const [first, last] = [answers[0], answers.at(-1)]
      if (first === undefined || last === undefined) return undefined
      const pageName = pageNameOf(operation)
      // The others fill members of the first from lists.
      if (pageName === undefined) return { status: first.status, body: first.body }
      const error = answers.find(({ status }) => status >= 400)
      if (error !== undefined || answers.length === 1) {
        const { status, body } = error ?? first
        return { status, body }
      }
      // A list that changes while it is read is read again: the last answer to a page counts.
      const pages = new Map(answers.map(({ path, body }) => [pageIn(path, pageName), body]))
      const body = joined([...pages].sort(([a], [b]) => a - b).map(([, page]) => page))
      return body && { status: last.status, body, pages: pages.size }
    },
  }
}

function pageNameOf({ request, response }: Operation): string | undefined {
  if (response.kind === 'whole-list') return response.paging.page
  return 'stitching' in request ? request.stitching?.paging.page : undefined
}

const pageIn = (path: string, name: string): number =>
  Number(new URLSearchParams(path.slice(path.indexOf('?') + 1)).get(name))

/** Joins the rows of pages. Undefined if a page is not JSON. */
function joined(pages: readonly Uint8Array[]): Uint8Array | undefined {
  const [first] = pages
  if (first === undefined) return undefined
  try {
    const rows = pages.flatMap((page) => {
      const items = memberText(page, startOfText(page), 'items')
      return items === undefined ? [] : itemsAt(items, 0).map((at) => items.subarray(at, skipValue(items, at)))
    })
    const meta = memberText(first, startOfText(first), 'meta') ?? Buffer.from('null')
    const separated = rows.flatMap((row, index) => (index === 0 ? [row] : [COMMA, row]))
    return Buffer.concat([OPEN, ...separated, BETWEEN, meta, CLOSE])
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

const OPEN = Buffer.from('{"success":true,"items":[')
const COMMA = Buffer.from(',')
const BETWEEN = Buffer.from('],"meta":')
const CLOSE = Buffer.from('}')

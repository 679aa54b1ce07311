import { composePage, rewritePage } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { release } from '../upstream/release.ts'
import { asideFor } from './aside.ts'
import { askV1, isError, refuse } from './call-v1.ts'
import type { AnswerCall } from './compile-answerers.ts'
import { v1CallOf } from './errors/refuse-translation.ts'
import { ownJsonAnswer } from './legacy-answer.ts'
import { pagingOf, stitchPage } from './stitch-page.ts'

/**
 * Answers with one legacy page. It may be larger than v1's pages, or empty because the request asks for a value that v1
 * removed.
 */
export function pageAnswerer(operation: CompiledOperation, status: number): AnswerCall {
  const { mapping, page: plan } = operation
  if (plan === undefined) throw new Error(`${mapping.id} has no page`)

  return async (gateway, call, notes, translation) => {
    const v1Call = v1CallOf(translation)
    const { page: pageRequest, matchesNothing } = v1Call
    if (pageRequest === undefined) throw new Error(`a call of ${mapping.id} asks for no page`)
    if (matchesNothing || pageRequest.perPage > pageRequest.paging.mostPerPage) {
      const { rows, meta } = await stitchPage(gateway, call, notes, { operation, v1Call }, pageRequest)
      return ownJsonAnswer(status, composePage(plan, rows, meta))
    }
    const question = { operation, v1Call, paging: pagingOf(pageRequest.paging, pageRequest.page, pageRequest.perPage) }
    const answer = await askV1(gateway, call, notes, question)
    if (isError(answer)) return refuse(gateway, call, question, answer)
    const aside = asideFor(gateway, call, answer.body)
    const page = aside === undefined ? rewritePage(plan, answer.body) : await aside.rewritePage(mapping.id, answer.body)
    release(answer.body)
    return ownJsonAnswer(status, page)
  }
}

import type { ExchangeRequest } from '../../exchange/exchange.ts'
import type { RequestMapping } from '../../mapping/request.ts'
import { same, shape } from '../../mapping/shape.ts'
import type { Budget } from '../diff/budget.ts'
import { readBody } from '../diff/json-value.ts'
import { boundedPath, memberPath } from '../diff/path.ts'
import { walkShape } from './walk-shape.ts'

/** The most dropped members that are named per request, because a client may send any number. */
const MOST = 50

/**
 * Returns the paths of at most 50 members of a legacy request that the mapping does not carry to v1. Members that the mapping
 * declares lost are not among them.
 */
export function droppedMembers(
  request: RequestMapping,
  { query, body }: Pick<ExchangeRequest, 'query' | 'body'>,
  budget: Budget,
): readonly string[] {
  const dropped = new Set<string>()
  const add = (path: string): void => {
    if (dropped.size < MOST) dropped.add(boundedPath(path))
  }
  if (request.kind === 'query-parameters') {
    for (const [name] of new URLSearchParams(query)) {
      if (!Object.hasOwn(request.parameters, name)) add(memberPath('', name))
    }
  }
  if (request.kind === 'body' || request.kind === 'body-parameters') {
    const listed = request.kind === 'body' ? request.shape : listOf(Object.keys(request.parameters))
    walkShape(listed, readBody(body).json ?? null, '', budget, ({ path, isLeftOut }) => {
      if (isLeftOut) add(path)
    })
  }
  return [...dropped]
}

/** Returns a shape with only these paths. */
const listOf = (paths: readonly string[]) =>
  shape('', Object.fromEntries(paths.map((path) => [path, same()])), { closed: true })

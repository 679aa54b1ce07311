import type { ExchangeRequest } from '../../exchange/exchange.ts'
import type { RequestMapping } from '../../mapping/request.ts'
import type { Budget } from '../diff/budget.ts'
import { readBody } from '../diff/json-value.ts'
import { boundedPath, memberPath } from '../diff/path.ts'
import { bodyShapeOf } from '../inputs/listed-members.ts'
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
  const shape = bodyShapeOf(request)
  if (shape !== undefined) {
    walkShape(shape, readBody(body).json ?? null, '', budget, ({ path, isLeftOut }) => {
      if (isLeftOut) add(path)
    })
  }
  return [...dropped]
}

import { type Given, givenBook } from '../compare/replay/given-book.ts'
import { usedGiven } from '../compare/replay/given-uses.ts'
import { givenRewriter } from '../engine/rewrite-given.ts'
import type { Operation } from '../mapping/operation.ts'

/** Opens, for each operation, the book of the values that two copies of the service give out. */
export function givenByOperation(mappings: readonly Operation[]): ReadonlyMap<string, Given> {
  const book = givenBook(usedGiven(mappings))
  return new Map(
    mappings.map((mapping) => {
      const rewriter = givenRewriter(mapping)
      return [
        mapping.id,
        book({
          isWrite: mapping.effect === 'write',
          response: mapping.response,
          rewrite: rewriter && ((request, lookUp) => ({ ...request, ...rewriter(request, lookUp) })),
        }),
      ]
    }),
  )
}

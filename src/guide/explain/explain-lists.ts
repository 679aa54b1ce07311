import { shapesOf } from '../../engine/compile/check-operations.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Shape } from '../../mapping/shape.ts'

/** Says in sentences which lists are read to fill members of the answer. */
export function listsFilledFrom(mapping: Operation, operations: readonly CompiledOperation[]): readonly string[] {
  const sentences = shapesOf(mapping).flatMap(([, shape]) =>
    referencesIn(shape).map(({ list, take }) => {
      const path = operations.find((other) => other.mapping.id === list)?.mapping.v1?.path
      return `${take} is filled in from the list GET ${path}, which is read too.`
    }),
  )
  return [...new Set(sentences)]
}

function referencesIn({ rules }: Shape): readonly { readonly list: string; readonly take: string }[] {
  return Object.values(rules).flatMap((rule) => {
    if (rule.kind === 'context') return rule.source.from === 'reference' ? [rule.source] : []
    return rule.kind === 'field' && 'shape' in rule.value ? referencesIn(rule.value.shape) : []
  })
}

import type { Operation, ResponseMapping } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'

/** Returns the legacy names of the single-value members in an operation's rows: what the rows may be sorted by. */
export function scalarMembers({ response }: Operation): readonly string[] {
  const rules = Object.entries(shapeOf(response)?.rules ?? {})
  return rules.flatMap(([path, rule]) => {
    const isNested = rule.kind === 'field' && (rule.value.kind === 'object' || rule.value.kind === 'list')
    return isNested || path.includes('.') ? [] : [path]
  })
}

function shapeOf(response: ResponseMapping): Shape | undefined {
  if (response.kind === 'page') return response.rows.shape
  return 'shape' in response ? response.shape : undefined
}

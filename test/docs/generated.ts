import { messages, operations } from '../../mappings/index.ts'
import { describeReference } from '../../src/guide/reference/describe-reference.ts'

/** The pages that `npm run docs` writes, with their current content. */
export const generated: Readonly<Record<string, () => string>> = {
  'mappings/README.md': () => describeReference(operations, messages),
}

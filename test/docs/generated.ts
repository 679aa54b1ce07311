import { messages, operations } from '../../mappings/index.ts'
import { mappingSchema, rolloutSchema } from '../../src/app/file-schemas.ts'
import { describeReference } from '../../src/guide/reference/describe-reference.ts'

const ids = operations.map(({ id }) => id)
const jsonText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

/** The pages that `npm run docs` writes, with their current content. */
export const generated: Readonly<Record<string, () => string>> = {
  'mappings/README.md': () => describeReference(operations, messages),
  'docs/schemas/rollout.json': () => jsonText(rolloutSchema(ids)),
  'docs/schemas/mapping.json': () => jsonText(mappingSchema(ids)),
}

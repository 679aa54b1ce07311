import { same, shape } from '../../src/mapping/shape.ts'

/** docs/contract.md 5.1: `status` and `addressType`. */
export const idSlug = shape('id and slug', { id: same('int'), slug: same('string') }, { closed: true })

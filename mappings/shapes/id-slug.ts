import { same, shape } from '../../src/mapping/shape.ts'

/** The contract, Invoice: `status` and `addressType`. */
export const idSlug = shape('id and slug', { id: same('int'), slug: same('string') }, { closed: true })

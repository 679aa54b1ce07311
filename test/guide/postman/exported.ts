import { operations } from '../../../mappings/index.ts'
import { v1Facts } from '../../../mappings/v1/facts.ts'
import { compileOperations } from '../../../src/engine/compile/compile-operations.ts'
import { type PostmanCollection, postmanCollection } from '../../../src/guide/postman/postman-collection.ts'

/** The collection of all mappings. */
export const exported = (v1?: string): PostmanCollection =>
  postmanCollection(compileOperations(operations), v1Facts, v1 === undefined ? undefined : new URL(v1))

import { expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { explain } from '../../src/guide/lines/explain.ts'

/** docs/contract.md 6: every section that names a status of a success. */
test('every success whose status v1 changed is explained', () => {
  const changed = operations.flatMap((operation) =>
    explain(operation).flatMap(({ part, change, basis, legacy, v1 }) =>
      part === 'answer' && change === 'status' && basis === 'documented' ? [[operation.id, legacy, v1]] : [],
    ),
  )
  expect(changed).toEqual([
    ['validate-destination', '204', '200'],
    ['document', '200', '201'],
    ['package', '200', '201'],
    ['import-create', '200', '201'],
    ['import-complete', '204', '200'],
  ])
})

import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import type { Operation } from '../../src/mapping/operation.ts'

const NO_OPERATIONS = ['index.ts', 'v1-paging.ts']
const files = globSync('mappings/*.ts')
  .map((file) => basename(file))
  .filter((file) => !NO_OPERATIONS.includes(file))

describe('the mapping files', () => {
  it.each(files)('%s exports the operation of its name, which is listed', async (file) => {
    const { default: mapping } = (await import(`../../mappings/${file}`)) as { readonly default: Operation }
    expect(`${mapping.id}.ts`).toBe(file)
    expect(operations).toContain(mapping)
  })

  it('are the only listed operations', () => {
    expect(operations.map(({ id }) => `${id}.ts`).sort()).toEqual([...files].sort())
  })
})

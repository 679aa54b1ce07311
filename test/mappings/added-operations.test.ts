import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import en from '../../mappings/messages/en.json' with { type: 'json' }
import tr from '../../mappings/messages/tr.json' with { type: 'json' }
import { describeOpenapi } from '../../src/guide/openapi/legacy-openapi.ts'
import { describeReference } from '../../src/guide/reference/describe-reference.ts'
import { situationsOf } from '../support/golden-case.ts'
import { loadMappings } from '../support/load-mappings.ts'
import { exampleChecker, examplesIn } from '../support/openapi-examples.ts'
import { type CaseRunner, startCaseRunner } from '../support/run-case.ts'

/*
 * Operations with enums, decimals, timestamps and renames, as they would be added to `mappings/`. They consist only of
 * the files of `added/` and their golden cases.
 */

const folder = join(import.meta.dirname, 'added')
const added = await loadMappings(folder)
const all = [...operations, ...added]
const casesOf = (id: string): string => join(folder, 'cases', id)

describe('operations that are added by mapping files only', () => {
  it('import only the vocabulary and each other', () => {
    const imported = globSync('**/*.ts', { cwd: folder }).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/from '(\..*)'/g)].map(([, from = '']) => from),
    )
    expect(
      imported.filter((from) => !/^(\.\.\/)+src\/mapping\/[\w-]+\.ts$|^\.\/(shapes\/)?[\w-]+\.ts$/.test(from)),
    ).toEqual([])
  })

  describe.each(added.map(({ id }) => id))('%s', (id) => {
    let cases: CaseRunner
    beforeAll(async () => {
      cases = await startCaseRunner(all)
    })
    afterAll(() => cases.stop())

    test.each(situationsOf(casesOf(id)))('%s', (situation) => cases.run(casesOf(id), situation))
  })
})

describe('the reference of operations that are added', () => {
  const reference = describeReference(all, { en, tr })
  const sectionOf = (id: string): string => reference.split(`\n## ${id}\n`)[1]?.split('\n## ')[0] ?? ''

  it('states how their values differ', () => {
    const create = sectionOf('order-create')
    expect(create).toContain(
      '| `state` | `status` | converted: open is v1’s PENDING, paid is v1’s SETTLED, cancelled is v1’s CANCELLED; any other value passes unchanged |',
    )
    expect(create).toContain('converted: v1 counts in units of 0.01: legacy’s 12.34 is v1’s 1234 |')
    expect(create).toContain('converted: v1 writes milliseconds and Z, legacy +00:00 and no milliseconds |')
    expect(sectionOf('order-list')).toContain('| `state` | `?status` | renamed: open is v1’s PENDING,')
  })

  it('has examples that went through the converters', () => {
    const create = sectionOf('order-create')
    for (const text of [
      '"state": "open"',
      '"limit": 12.34',
      '"dueAt": "2025-01-31T10:24:19+00:00"',
      '"weight": 12.345',
    ])
      expect(create).toContain(text)
    for (const text of [
      '"status": "PENDING"',
      '"limitMinor": 1234',
      '"dueAt": "2025-01-31T10:24:19.000Z"',
      '"grams": 12345',
    ])
      expect(create).toContain(text)
    expect(sectionOf('order-list')).toContain(
      '`GET /api/v1/sales/orders?status=SETTLED&leastMinor=1250&createdFrom=2025-01-31&page=1&perPage=10`',
    )
  })

  it('documents the paging of a list that is answered whole to a body', () => {
    const lines = sectionOf('order-line-list')
    expect(lines).toContain('| — | `?page` | paging: every page is read, from 1 to meta.pageCount |')
    expect(lines).toContain('| — | `?size` | paging: 2, v1’s maximum |')
    expect(lines).toContain('`GET /api/v1/sales/lines?status=PENDING&page=1&size=2`')
  })
})

describe('the OpenAPI description of operations that are added', () => {
  const document = describeOpenapi(all, { origin: 'http://localhost:8080', basePath: '', version: '1.0.0' })

  it('knows the values of enums, and how numbers are written', () => {
    const values = ['open', 'paid', 'cancelled']
    expect(document).toMatchObject({
      components: {
        schemas: {
          NewOrder: {
            properties: {
              state: { type: 'string', enum: values },
              limit: { type: 'number', format: 'decimal' },
              dueAt: { format: 'date-time' },
            },
          },
          // v1 may add a value.
          Order: { properties: { state: { anyOf: [{ type: 'string', enum: values }, { type: 'string' }] } } },
        },
      },
    })
  })

  it('has examples that match its schemas', () => {
    const check = exampleChecker(document)
    const examples = examplesIn(document)
    expect(examples.filter(({ place }) => place.includes('~1api~1order')).length).toBeGreaterThanOrEqual(3)
    expect(examples.flatMap(({ schema, value }) => check(schema, value) ?? [])).toEqual([])
  })
})

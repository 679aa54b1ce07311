import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { situationsOf } from '../support/golden-case.ts'
import { type CaseRunner, startCaseRunner } from '../support/run-case.ts'

const here = import.meta.dirname
const folders = readdirSync(here, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

test.each(operations.map(({ id }) => id))('%s has golden cases', (id) => {
  expect(folders).toContain(id)
  expect(situationsOf(join(here, id))).not.toEqual([])
})

test.each(folders)('the folder %s is an operation', (folder) => {
  expect(operations.map(({ id }) => id)).toContain(folder)
})

describe.each(folders)('%s', (folder) => {
  let cases: CaseRunner
  beforeAll(async () => {
    cases = await startCaseRunner()
  })
  afterAll(() => cases.stop())

  test.each(situationsOf(join(here, folder)))('%s', (situation) => cases.run(join(here, folder), situation))
})

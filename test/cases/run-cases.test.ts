import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { situationsOf } from '../support/golden-case.ts'
import { runCase, startGatewayForCases } from '../support/run-case.ts'
import type { StartedGateway } from '../support/start-gateway.ts'

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
  let gateway: StartedGateway
  beforeAll(async () => {
    gateway = await startGatewayForCases()
  })
  afterAll(() => gateway.close())

  test.each(situationsOf(join(here, folder)))('%s', (situation) => runCase(gateway, join(here, folder), situation))
})

import { expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import type { PostmanCollection } from '../../../src/guide/postman/postman-collection.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { exported } from '../../guide/postman/exported.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { runInNewman } from './run-newman.ts'

const CREDENTIALS = { clientId: 'demo-client', secretKey: 'demo-secret' }

/** The collection that the admin port of a gateway serves. v1 is the sandbox's. */
async function served(): Promise<PostmanCollection> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const admin = await (await startGateway(sandbox.v1Url)).openAdmin()
  return (await (await fetch(`${admin}/postman.json`)).json()) as PostmanCollection
}

it('runs in newman: the login first, then every request with its token, and all succeed', async () => {
  const { executed, failures } = await runInNewman(await served(), CREDENTIALS)
  expect(failures).toEqual([])
  const created = operations.flatMap(({ v1, response }) =>
    v1 !== undefined && 'v1Status' in response && response.v1Status === 201 ? [v1.path] : [],
  )
  expect(created).toHaveLength(3)
  expect(executed.map(({ name, status }) => ({ name, status }))).toEqual(
    exported()
      .item.flatMap(({ item }) => item)
      .map(({ name }) => ({ name, status: created.some((path) => name === `POST ${path}`) ? 201 : 200 })),
  )
  for (const { checked } of executed) expect(checked).toHaveLength(1)
})

it('says so in newman when v1 answers another status than the contract shows', async () => {
  const { executed, failures } = await runInNewman(await served(), { ...CREDENTIALS, secretKey: 'wrong' })
  expect(executed[0]).toMatchObject({ status: 401, checked: ['v1 answers with a success'] })
  expect(failures).toContainEqual(expect.stringContaining('expected response to have status code 201 but got 401'))
})

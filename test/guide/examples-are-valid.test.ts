import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { exampleRequest, v1Example, wholeQuery } from '../../src/guide/examples/translated.ts'
import { demo, logIn, startInMemory } from '../sandbox/sandbox-client.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy, type LegacyCall } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'
import { used } from './client/support/clients.ts'
import { guideFor } from './client/support/guide-for.ts'

const compiled = compileOperations(operations)
const inV1 = compiled.filter(({ mapping }) => mapping.v1 !== undefined)
const byId = inV1.map((operation) => [operation.mapping.id, operation] as const)

let v1: (call: LegacyCall) => Promise<string>
let legacy: (call: LegacyCall) => Promise<string>
beforeAll(async () => {
  const sandbox = await startInMemory()
  closeAtEnd(() => sandbox.close())
  const authorization = `Bearer ${await logIn(sandbox, demo)}`
  const gateway = await startGateway(sandbox.v1Url)
  const asking = (url: string) => async (call: LegacyCall) => {
    const { status, text } = await callLegacy(url, { ...call, headers: { authorization, 'accept-language': 'en' } })
    const isRefused = status === 422 || text.includes('violations')
    // Each example of an import has the same name.
    return isRefused && !text.includes('This value is already in use.') ? `${status}: ${text}` : 'valid'
  }
  v1 = asking(sandbox.v1Url)
  legacy = asking(gateway.url)
})

/** The call that a request line and a body write. */
function callOf({ line, body }: { readonly line: string; readonly body: string | undefined }): LegacyCall {
  const [method = '', path = ''] = line.split(' ')
  return { method, path, ...(body !== undefined && { body }) }
}

describe('the example of a mapping', () => {
  const shown = byId.flatMap(([id, operation]) => {
    const example = exampleRequest(operation)
    return example === undefined ? [] : [[id, example] as const]
  })

  it.each(shown)('in the reference is valid in v1: %s', async (_, example) => {
    expect(await v1(callOf(example.v1))).toBe('valid')
  })

  it.each(shown)('in the reference is valid in legacy: %s', async (_, example) => {
    expect(await legacy(callOf(example.legacy))).toBe('valid')
  })

  it.each(byId)('in the descriptions of v1 is valid: %s', async (_, operation) => {
    const { method = '', route = '', segments = {}, query, body } = v1Example(operation) ?? {}
    const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? '')
    expect(await v1({ method, path: `${path}?${query}`, ...(body !== undefined && { body }) })).toBe('valid')
  })

  it.each(byId)('in the Postman collection is valid with all parameters switched on: %s', async (_, operation) => {
    const { mapping } = operation
    if (mapping.v1?.method !== 'GET') return
    expect(await v1({ method: 'GET', path: `${mapping.v1.path}?${wholeQuery(operation)}` })).toBe('valid')
  })

  it.each(byId)('in the guide of a client whose calls are not known is valid: %s', async (id) => {
    const [told] = guideFor([used(id, 0)], { v1: new URL('http://v1.test'), legacy: 'http://legacy.test' }).operations
    for (const [call, ask] of [
      [told?.after[0], v1],
      [told?.before, legacy],
    ] as const) {
      const { pathname, search } = new URL(call?.url ?? '')
      const written = { method: call?.method ?? '', path: pathname + search }
      expect(await ask({ ...written, ...(call?.body !== undefined && { body: call.body }) })).toBe('valid')
    }
  })
})

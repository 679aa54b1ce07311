import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { makeFolder } from '../real/start-program.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { commandsOf } from '../support/read-html.ts'
import { hasCurl, paste, shells } from '../support/shells.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const HOSTILE = `it's "$HOME" $(echo no) \`x\` !! \\ %s %d @file ~ # & ; | <pre> &amp; ğüşöı 日本 🚚`

describe.skipIf(!hasCurl)('the curl of a difference on the dashboard (with curl)', () => {
  it('repeats the call to the gateway when it is pasted into a shell', async () => {
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
    await sides.plant('legacy', {
      path: '/api/invoice/list',
      kind: 'change',
      at: 'data[].priceTry',
      to: 0,
      calls: 'all',
    })
    await sides.plant('legacy', { path: '/country/all', kind: 'change', at: '[].taxType', to: 'X', calls: 'all' })
    const headers = { authorization: `Bearer ${sides.token}`, 'accept-language': `en '"$HOME` }
    const body = `{\n\t"perPage": 2,\n "${JSON.stringify(HOSTILE).slice(1, -1)}": [ ${JSON.stringify(HOSTILE)}, "\\u0000" ] }`
    const query = `code=de&x[]={1,2}&y=[3-1]&z='`
    const answers = {
      'invoice-list': await sides.gateway.call({ path: '/api/invoice/list', headers, body }),
      'country-list': await sides.gateway.call({ path: `/country/all?${query}`, headers }),
    }
    await sides.compared(2)
    for (const [operation, { status, text }] of Object.entries(answers)) {
      expect(status).toBe(200)
      const path = `/side-by-side/${operation}`
      const [command = ''] = commandsOf((await callLegacy(sides.adminUrl, { path })).text)
      for (const shell of shells) expect(await paste(command, { LEGACY_TOKEN: sides.token }, shell)).toBe(text)
    }
  })

  it('calls the address where the gateway listens, below its path prefix', async () => {
    const {
      v1Url,
      legacyUrl = '',
      close,
    } = await startSandbox({
      ...{ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' },
    })
    closeAtEnd(close)
    const rolloutFile = join(makeFolder({ 'rollout.json': '{"operations":{"*":{"shadow":1}}}' }), 'rollout.json')
    const gateway = await startGateway(v1Url, { legacyUrl, settings: { basePath: '/old', rolloutFile } })
    const admin = await gateway.openAdmin()
    const fault = { path: '/country/all', kind: 'change', at: '[].taxType', to: 'X', calls: 'all' }
    await callLegacy(legacyUrl, { path: '/sandbox/faults', body: JSON.stringify(fault) })
    const { text } = await gateway.call({ path: '/old/country/all?code=de' })
    let commands: readonly string[] = []
    while (commands.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      commands = commandsOf((await callLegacy(admin, { path: '/side-by-side/country-list' })).text)
    }
    expect(commands[0]).toContain(`curl '${gateway.url}/old/country/all?code=de'`)
    expect(await paste(commands[0] ?? '', {})).toBe(text)
  })
})

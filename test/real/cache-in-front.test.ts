import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startGateway } from '../support/start-gateway.ts'
import { freePort, isInstalled, makeFolder, startProgram } from './start-program.ts'

/** Varnish in front of a service. It caches answers for two minutes unless they say otherwise. */
async function startVarnish(service: string): Promise<string> {
  const port = await freePort()
  const command = ['varnishd', '-F', '-j', 'none', '-n', makeFolder(), '-s', 'malloc,16m']
  await startProgram([...command, '-a', `127.0.0.1:${port}`, '-b', new URL(service).host], port)
  return `http://127.0.0.1:${port}`
}

describe.skipIf(!isInstalled('varnishd'))('behind Varnish', () => {
  test('a client is answered in its own language, no matter who called before', async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
    closeAtEnd(() => sandbox.close())
    const gateway = await startGateway(sandbox.v1Url)
    const cache = await startVarnish(gateway.url)
    const ask = async (path: string, language: string) => {
      const { text, headers } = await callLegacy(cache, { path, headers: { 'accept-language': language } })
      return { text, isKept: Number(headers.age) > 0 || String(headers['x-varnish']).includes(' ') }
    }
    const list = '/country/all?code=de'
    const [turkish, english] = [await ask(list, 'tr'), await ask(list, 'en')]
    expect([turkish.text, english.text]).toEqual([
      expect.stringContaining('"Almanya"'),
      expect.stringContaining('"Germany"'),
    ])
    const [unknown, unknownInEnglish] = [await ask('/unknown', 'tr'), await ask('/unknown', 'en')]
    expect(unknownInEnglish.text).not.toBe(unknown.text)
    // Varnish does cache answers, separately for each language.
    expect(await ask('/unknown', 'en')).toEqual({ text: unknownInEnglish.text, isKept: true })
    expect(await ask('/unknown', 'tr')).toEqual({ text: unknown.text, isKept: true })
  })
})

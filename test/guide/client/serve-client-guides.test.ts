import { Hono } from 'hono'
import { beforeAll, describe, expect, it } from 'vitest'
import { serveClientGuides } from '../../../src/control-plane/admin/serve-client-guides.ts'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { runCommand } from '../../support/run-command.ts'
import { erp, script, shop } from './support/clients.ts'
import { startGuides } from './support/start-guides.ts'

const TOKEN = 'a-token-of-the-admin'
const ODD = 'a/b ?#%.. ü\u001b[31m'
let url = ''
beforeAll(async () => {
  url = (await startGuides({ acme: shop, [ODD]: erp, 'script-1': script, 'nobody-knows': [], '..': shop }, TOKEN)).url
})

const ask = (path: string, accept?: string): Promise<Response> =>
  fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}`, ...(accept !== undefined && { accept }) },
  })

describe('GET /clients/{client}/guide', () => {
  it.each([
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['curl', '*/*', 'text/markdown'],
    ['who would rather have anything else than HTML', 'text/html;q=0.5, */*', 'text/markdown'],
    ['a program', 'application/json', 'application/json'],
    ['who prefers Markdown', 'text/html;q=0.5, text/markdown', 'text/markdown'],
    ['who takes nothing of it', 'image/png', 'text/markdown'],
  ])('answers %s with %s as %s', async (_, accept, type) => {
    const answer = await ask('/clients/acme/guide', accept)
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
    expect(answer.headers.get('vary')).toBe('Accept')
    expect(await answer.text()).toContain('acme')
  })

  it.each([
    ['html', /^<!doctype html>/],
    ['md', /^# Migration guide: acme\n/],
    ['json', /^\{\n {2}"client": "acme",/],
  ])('does as ?format=%s says, whatever Accept says', async (format, expected) => {
    expect(await (await ask(`/clients/acme/guide?format=${format}`, 'text/css')).text()).toMatch(expected)
  })

  it('has programs in the language that ?snippets= names, in any case; in curl unless told otherwise', async () => {
    const textOf = async (query: string) => (await ask(`/clients/acme/guide?format=md${query}`)).text()
    expect(await textOf('')).toContain("```sh\ncurl '")
    for (const language of ['python', 'Python']) {
      const text = await textOf(`&snippets=${language}`)
      expect(text).toContain('```python\nimport os')
      expect(text).not.toContain('```sh')
    }
    const page = await (await ask('/clients/acme/guide?format=html&snippets=typescript')).text()
    expect(page).toContain('id="in-TypeScript" checked')
    const wrong = await ask('/clients/acme/guide?snippets=cobol')
    expect([wrong.status, await wrong.json()]).toEqual([
      ...[400, { message: 'snippets: expected one of curl, typescript, php, python, java.' }],
    ])
  })

  it('says in words what is wrong with a format, and of whom nothing is known', async () => {
    const wrong = await ask('/clients/acme/guide?format=pdf')
    expect([wrong.status, await wrong.json()]).toEqual([400, { message: 'format: expected one of html, md, json.' }])
    for (const client of ['nobody', 'nobody-knows', 'others', 'unidentified']) {
      const answer = await ask(`/clients/${client}/guide`)
      expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([404, ['message', 'client']])
    }
    expect(await (await ask('/clients/unidentified/guide')).text()).toContain('is not a client')
  })

  it('needs the token, and GET', async () => {
    expect((await fetch(`${url}/clients/acme/guide`)).status).toBe(401)
    const posted = await fetch(`${url}/clients/acme/guide`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${TOKEN}` } },
    })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('knows clients by any name', async () => {
    const answer = await ask(`/clients/${encodeURIComponent(ODD)}/guide`, 'application/json')
    expect(await answer.json()).toMatchObject({ client: ODD, operations: { length: 6 } })
  })

  it('knows clients by names that no path can hold', async () => {
    const answer = await ask('/clients/~/guide?client=..', 'application/json')
    expect(await answer.json()).toMatchObject({ client: '..' })
  })

  it('says so while the usage cannot be read', async () => {
    const app = new Hono().route(
      '/',
      serveClientGuides(() => Promise.reject(new StateError('gone', true))),
    )
    const answer = await app.request('/clients/acme/guide')
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { message: 'Usage cannot be read now: STATE_DB is not available.' },
    ])
  })
})

describe('legacy-gateway guide CLIENT', () => {
  const guide = (...words: readonly string[]) => runCommand(['guide', ...words, '--admin', url], { ADMIN_TOKEN: TOKEN })

  it('prints Markdown, or what --format says', async () => {
    const { exit, output, errors } = await guide('acme')
    expect([exit, errors]).toEqual([0, ''])
    expect(output).toBe(await (await ask('/clients/acme/guide?format=md')).text())
    expect(JSON.parse((await guide('acme', '--format', 'json')).output)).toMatchObject({ client: 'acme' })
    expect((await guide('acme', '--format', 'html')).output).toMatch(/^<!doctype html>/)
  })

  it('has programs in the language of --snippets', async () => {
    const { output } = await guide('acme', '--snippets', 'php')
    expect(output).toContain('```php\n<?php')
    expect(output).toBe(await (await ask('/clients/acme/guide?format=md&snippets=php')).text())
    const wrong = await guide('acme', '--snippets', 'cobol')
    expect([wrong.exit, wrong.errors]).toEqual([2, expect.stringContaining('curl, typescript, php, python, java')])
  })

  it('asks for any name', async () => {
    expect((await guide('..')).output).toContain('# Migration guide: ')
  })

  it('controls no terminal, whatever the name of a client is', async () => {
    const { exit, output } = await guide(ODD)
    expect(exit).toBe(0)
    expect(output).not.toContain('\u001b')
  })

  it('says of whom nothing is known, with 1, and why it could not ask, with 2', async () => {
    const unknown = await guide('nobody')
    expect([unknown.exit, unknown.output]).toEqual([1, ''])
    expect(unknown.errors).toContain('No client of this name has called an operation')
    const refused = await runCommand(['guide', 'acme', '--admin', url], { ADMIN_TOKEN: 'another-token-altogether' })
    expect([refused.exit, refused.errors]).toEqual([2, expect.stringContaining('refuses the token')])
    const away = await runCommand(['guide', 'acme', '--admin', 'http://127.0.0.1:1'], {})
    expect([away.exit, away.errors]).toEqual([2, expect.stringContaining('no gateway answers')])
    expect((await guide('acme', '--format', 'pdf')).exit).toBe(2)
  })

  it('says that another port of the gateway is not the admin port, with 2', async () => {
    const legacy = await startHttpServer((_, response) => response.writeHead(404).end('{"message":"Not found."}'))
    const { exit, errors } = await runCommand(['guide', 'acme', '--admin', legacy.url], {})
    expect([exit, errors]).toEqual([2, expect.stringContaining('is it the admin port of this gateway?')])
  })
})

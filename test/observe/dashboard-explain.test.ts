import { describe, expect, it } from 'vitest'
import { dashboardSources, reference } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { rowsOf, textOf } from '../support/read-html.ts'

const quiet = await openDashboard(dashboardSources())

describe('the explain page', () => {
  const form = (fields: Readonly<Record<string, string>>, dashboard = quiet) =>
    dashboard.call({
      path: '/explain',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: new URLSearchParams(fields).toString(),
    })

  it('offers an example call of each operation, which fills in the form', async () => {
    const { text } = await quiet.get('/explain')
    const offered = Array.from(text.matchAll(/href="(\/explain\?operation=[^"]+)"/g), ([, href]) => href)
    expect(offered).toEqual(reference.map(({ id }) => `/explain?operation=${id}`))
    expect((await quiet.get('/explain?operation=invoice-list')).text).toContain('value="/api/invoice/list"')
  })

  it('explains a pasted call: v1’s request, curl, and what changes field by field', async () => {
    const { status, text } = await form({
      method: 'POST',
      path: '/api/invoice/list',
      language: 'en',
      body: '{"isPayment": true,\r\n "mine": 1}',
    })
    expect(status).toBe(200)
    const shown = textOf(text)
    expect(shown).toContain('GET http://v1.test/api/v1/finance/invoices?isPaid=true&page=1&perPage=25 Authorization:')
    expect(shown).toContain('Accept-Language: en')
    expect(shown).toContain('curl &#39;http://v1.test/api/v1/finance/invoices?isPaid=true&page=1&perPage=25&#39;')
    expect(shown).toMatch(/Not sent to v1: mine/)
    expect(rowsOf(text, 'lines-request')).toContainEqual([
      'isPayment',
      '?isPaid',
      'renamed: as written',
      'documented',
      '',
      'the mapping',
    ])
  })

  it('keeps the call in the form', async () => {
    const { text } = await form({
      method: 'GET',
      path: '/country/all?code=de',
      language: 'en',
      body: ' </textarea>{"a":1}',
    })
    expect(text).toContain('<option value="GET" selected>')
    expect(text).toContain('<option value="en" selected>')
    expect(text).toContain('value="/country/all?code=de"')
    expect(text).toContain('autocapitalize="off">\n &lt;/textarea&gt;{&quot;a&quot;:1}</textarea>')
  })

  it('shows how the gateway would refuse a call, and what would be right', async () => {
    const { status, text } = await form({ method: 'POST', path: '/api/invoice/lists', body: '' })
    expect(status).toBe(200)
    expect(textOf(text)).toMatch(/Refused with 404: v1 is not called\..*POST \/api\/invoice\/list.*The client gets:/)
  })

  it.each([
    [{ method: 'POST', path: '' }, /Path: enter a path/],
    [{ method: 'POST', path: 'api/invoice/list' }, /Path: enter a path/],
    [{ method: '', path: '/x' }, /Method: enter one/],
    [{}, /Method: enter one/],
  ])('says what is wrong with the form %j', async (fields, problem) => {
    const { status, text } = await form(fields)
    expect(status).toBe(400)
    expect(textOf(text)).toMatch(problem)
  })

  it('offers a call of an operation to start from, under the path prefix', async () => {
    const prefixed = await openDashboard(dashboardSources({ basePath: '/old' }))
    const { text } = await prefixed.get('/explain?operation=import-complete')
    expect(text).toContain('value="/old/api/single/point/import/complete"')
    expect(text).toContain('&quot;id&quot;: 1')
    expect((await prefixed.get('/explain?operation=none')).text).toContain('name="path" value=""')
  })

  it('refuses a form that is larger than any call', async () => {
    const { status, text } = await form({ method: 'POST', path: '/x', body: 'x'.repeat(5_000_000) })
    expect(status).toBe(413)
    expect(textOf(text)).toContain('Too large')
  })

  const ORDER = ' {"method":"GET","path":"/country/all"}'

  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
    'leaves a JSON request to the interface for programs, sent as %s',
    async (type) => {
      const { text } = await quiet.call({ path: '/explain', headers: { 'content-type': type }, body: ORDER })
      expect(JSON.parse(text)).toEqual({ sent: ORDER })
    },
  )

  it('leaves a JSON request of unannounced length to the interface for programs', async () => {
    const body = new Blob([ORDER]).stream()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(`${quiet.url}/explain`, { method: 'POST', headers, body, duplex: 'half' })
    expect(await response.json()).toEqual({ sent: ORDER })
  })
})

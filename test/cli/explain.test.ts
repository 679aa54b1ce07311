import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { ExplainedCall } from '../../src/guide/explain/explain-call.ts'
import { type Ran, runCommand, uncoloured } from '../support/run-command.ts'

/** Of whoever runs the tests. */
const UNSET = { V1_BASE_URL: '', LEGACY_BASE_URL: '', BASE_PATH: '' }

/** Runs `legacy-gateway explain` to its end. */
const explain = (words: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runCommand(['explain', ...words], { ...UNSET, ...env })

/** The same in a process of its own. */
function explainInProcess(words: readonly string[], env: Record<string, string> = {}, input = ''): Ran {
  const { status, stdout, stderr } = spawnSync('node', ['src/cli/bin.js', 'explain', ...words], {
    ...{ env: { ...uncoloured, ...UNSET, ...env }, input, encoding: 'utf8' },
  })
  return { exit: status, output: stdout, errors: stderr }
}

const unpaid = ['POST', '/api/invoice/list', '{"isPayment":false,"unknown":1}']

describe('legacy-gateway explain', () => {
  it('prints the v1 request, its curl command and what differs, within 100 columns', async () => {
    const { exit, output, errors } = await explain([...unpaid, '--all'])
    expect({ exit, errors }).toEqual({ exit: 0, errors: '' })
    const url = 'http://localhost:8082/api/v1/finance/invoices?isPaid=false&page=1&perPage=25'
    expect(output).toContain(`\nGET ${url}\nAuthorization: Bearer <ACCESS_TOKEN>\n`)
    expect(output).toContain(`\ncurl '${url}' \\\n  -H "Authorization: Bearer $V1_TOKEN"\n`)
    expect(output).toContain('\nNot sent: unknown\n')
    expect(output).toMatch(/^ {2}isPayment +\?isPaid +renamed +documented$/m)
    expect(output).toMatch(/^ {2}statusId +- +removed value +lost\n {6}4: an empty page; .*\n {6}why: v1 no longer/m)
    expect(output).toMatch(/^ {2}406 +400 +status +documented\n {6}with a code: a business rule$/m)
    expect(output).toMatch(/^ {2}The same on both sides: data\[\]\.id, data\[\]\.number, /m)
    expect(output.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(output).not.toContain('\u001b')
  })

  it('shows only the lines that concern the call, and says how many others there are', async () => {
    const body = { isPayment: false, dateAtBetween: { startAt: '2025-01-01' } }
    const { output } = await explain(['POST', '/api/invoice/list', JSON.stringify(body)])
    const request = output.slice(output.indexOf('\nRequest'), output.indexOf('\nHeaders'))
    const members = [...request.matchAll(/^ {2}(\S+) +\?/gm)].map(([, member]) => member)
    expect(members).toEqual(['isPayment', 'dateAtBetween.startAt'])
    expect(output).not.toMatch(/^Errors$/m)
    expect(output).not.toMatch(/^ {2}Accept-Language /m)
    expect(output).toMatch(/^ {2}data\[\]\.dateAt /m)
    expect(output).toMatch(/\n\n\d+ more lines with --all\n$/)
    const all = await explain(['POST', '/api/invoice/list', JSON.stringify(body), '--all'])
    expect(all.output).toMatch(/^ {2}statusId +\?statusId /m)
    expect(all.output).toMatch(/^Errors$/m)
    expect(all.output).not.toContain('--all')
  })

  it('finds members in the items of lists, in the query, and in headers', async () => {
    const products = [{ name: 'a' }, { unitOfMeasure: { code: 'KGM' } }]
    const shipment = await explain(['POST', '/api/consignment/package/advance', JSON.stringify({ products })])
    expect(shipment.output).toMatch(
      /^ {2}products\[\]\.unitOfMeasure\.code +products\[\]\.unitOfMeasureCode +renamed /m,
    )
    expect(shipment.output).not.toMatch(/^ {2}singlePointImportId/m)
    const list = await explain(['GET', '/country/all?code=de', '--language', 'en'])
    expect(list.output).toMatch(/^ {2}code +\?code /m)
    expect(list.output).not.toMatch(/^ {2}search +\?search /m)
    expect(list.output).toMatch(/^ {2}Accept-Language /m)
  })

  it('names the v1 path first of a call without a body, then why it would be refused', async () => {
    const { exit, errors } = await explain(['POST', '/api/consignment/document'])
    expect(exit).toBe(1)
    expect(errors).toMatch(
      /^POST \/api\/consignment\/document .*\nv1: POST \/api\/v1\/shipment\/shipments\/documents\n/,
    )
    expect(errors.indexOf('v1: POST')).toBeLessThan(errors.indexOf('Refused with 400'))
    // What may be sent is what whoever asks so wants to know.
    expect(errors).toContain('recipientAddress.countryId')
  })

  it('explains a whole operation by its id', async () => {
    const { exit, output, errors } = await explain(['document'], { BASE_PATH: '/old' })
    expect({ exit, errors }).toEqual({ exit: 0, errors: '' })
    expect(output).toMatch(/^POST \/old\/api\/consignment\/document \(document\)\nv1: POST \/api\/v1\/shipment\//)
    expect(output).not.toContain('Refused')
    expect(output).toMatch(/^Errors$/m)
    const list = await explain(['invoice-list'])
    expect(list.output).toContain('\nGET http://localhost:8082/api/v1/finance/invoices?page=1&perPage=25\n')
    expect(list.output).toMatch(/^ {2}paymentExpirationAtBetween\.startAt /m)
  })

  it('explains a call whose operation is named by its id', async () => {
    const { exit, output } = await explain(['invoice-list', '{"isPayment":true}', '--json'])
    expect(exit).toBe(0)
    const { legacy, requests } = JSON.parse(output) as ExplainedCall
    expect(legacy).toEqual({ method: 'POST', path: '/api/invoice/list' })
    expect(requests[0]?.url).toContain('?isPaid=true&')
    expect((await explain(['invoice-list', '{"page":0}'])).errors).toContain('Refused with 400')
  })

  it('lists the operations when it does not know the given one, and shows its usage', async () => {
    const { exit, errors } = await explain(['invoices'])
    expect(exit).toBe(2)
    expect(errors).toMatch(/^error: unknown operation invoices; give METHOD PATH \[BODY\], or one of auth, /)
    expect(errors).toMatch(/\nAdd --help for usage\.\n$/)
  })

  it.each([
    ['with the sandbox', {}, /No mapping has this path: the call is passed on to the legacy service unchanged\./],
    ['with a legacy service', { V1_BASE_URL: 'http://v1.test', LEGACY_BASE_URL: 'http://old.test' }, /is passed on to/],
    ['without one', { V1_BASE_URL: 'http://v1.test', LEGACY_BASE_URL: '' }, /Refused with 404; v1 is not asked\./],
  ])('says what becomes of an unknown path %s, and exits 1', async (_, env, says) => {
    const { exit, output, errors } = await explain(['GET', '/somewhere'], env)
    expect({ exit, output }).toEqual({ exit: 1, output: '' })
    expect(errors).toMatch(says)
  })

  it('ignores invalid variables that it does not need', async () => {
    const { exit } = await explain(unpaid, { PORT: 'abc', ADMIN_PORT: '99999', LOG_LEVEL: 'loud' })
    expect(exit).toBe(0)
  })

  it('uses colours where they are forced, as a terminal would have them', () => {
    const { output } = explainInProcess([...unpaid, '--all'], { FORCE_COLOR: '1' })
    expect(output).toContain('\u001b[32mdocumented\u001b[39m')
    expect(output).toContain('\u001b[33massumed\u001b[39m')
  })

  it('prints JSON for programs', async () => {
    const { exit, output } = await explain([...unpaid, '--json', '--language', 'en'])
    const call = JSON.parse(output) as ExplainedCall
    expect(exit).toBe(0)
    expect(call).toMatchObject({ operation: 'invoice-list', dropped: ['unknown'] })
    expect(call.requests[0]?.headers['Accept-Language']).toBe('en')
    expect(call.lines.length).toBeGreaterThan(20)
  })

  it('reads the body from standard input, byte for byte', () => {
    const body = '{"id":12345678901234567890,\n "referenceNumbers":["İ\'"]}'
    const { output } = explainInProcess(['post', '/api/consignment/document', '-', '--json'], {}, body)
    expect((JSON.parse(output) as ExplainedCall).requests[0]?.body).toBe(body)
  })

  it('explains calls as the environment configures them', async () => {
    const env = { V1_BASE_URL: 'https://v1.test/prefix', BASE_PATH: '/old' }
    const { output } = await explain(['GET', '/old/country/all?code=de', '--json'], env)
    const { requests } = JSON.parse(output) as ExplainedCall
    expect(requests.map(({ url }) => url)).toEqual([
      'https://v1.test/prefix/api/v1/public/shared/countries?code=de&page=1&perPage=200',
    ])
    const text = await explain(['GET', '/old/country/all', '--all'], env)
    expect(text.output).toMatch(/^ {2}\(query\) +- +left out +assumed$/m)
    expect(text.output).toMatch(/^ {2}\(body\) +items +envelope +documented$/m)
    const bare = await explain(['GET', '/country/all'], env)
    expect(bare).toMatchObject({ exit: 1, output: '' })
    expect(bare.errors).toContain('did you mean GET /old/country/all?')
  })

  it('says on stderr why a call would be refused and what would be right, and exits 1', async () => {
    const { exit, output, errors } = await explain(['POST', '/api/invoice/list', '{"page":0}'])
    expect({ exit, output }).toEqual({ exit: 1, output: '' })
    expect(errors).toContain('Refused with 400; v1 is not asked.')
    expect(errors).toContain('page: This value must be a whole number from 1 to 2147483647.')
    expect(errors).toContain('"propertyPath":"page"')
  })

  it('exits 1 with JSON too, and where v1 has no equivalent', async () => {
    const json = await explain(['GET', '/api/invoice/list', '--json'])
    expect(json).toMatchObject({ exit: 1, errors: '' })
    expect(JSON.parse(json.output)).toMatchObject({ refusal: { status: 405 } })
    const charges = await explain(['POST', '/api/transaction/charge/list', '{}'])
    expect(charges).toMatchObject({ exit: 1, output: '' })
    expect(charges.errors).toContain('v1 has no equivalent')
  })

  it('prints no control characters of the path to a terminal', async () => {
    const { errors } = await explain(['GET', '/\u001b[31mred'])
    expect(errors).not.toContain('\u001b')
    expect(errors).toContain('[31mred')
  })

  it('names what is wrong with the configuration, and exits 1', async () => {
    const { exit, errors } = await explain(unpaid, { V1_BASE_URL: 'nowhere' })
    expect(exit).toBe(1)
    expect(errors).toContain('V1_BASE_URL must be')
    expect(errors).not.toContain('    at ')
  })
})

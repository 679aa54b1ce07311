import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { ExplainedCall } from '../../src/gateway/explain/explain-call.ts'
import { closeAtEnd } from '../support/clean-up.ts'

interface Ran {
  readonly exit: number | null
  readonly output: string
  readonly errors: string
}

/** An empty FORCE_COLOR is a set one. */
const { FORCE_COLOR: _, NO_COLOR: __, ...uncoloured } = process.env

/** Runs `legacy-gateway explain` to its end. */
function explain(parameters: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Ran> {
  const child = spawn('node', ['src/cli/legacy-gateway.ts', 'explain', ...parameters], {
    env: { ...uncoloured, V1_BASE_URL: '', BASE_PATH: '', ...env },
  })
  closeAtEnd(() => child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (exit) => resolve({ exit, output, errors })))
}

const unpaid = ['POST', '/api/invoice/list', '{"isPayment":false,"unknown":1}']

describe.concurrent('legacy-gateway explain', { timeout: 30_000 }, () => {
  it('prints the v1 request, its curl command and what differs, within 100 columns', async () => {
    const { exit, output, errors } = await explain(unpaid)
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

  it('uses colours where they are forced, as a terminal would have them', async () => {
    const { output } = await explain(unpaid, { FORCE_COLOR: '1' })
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

  it('reads the body from standard input, byte for byte', async () => {
    const body = '{"id":12345678901234567890,\n "referenceNumbers":["İ\'"]}'
    const { output } = await explain(['post', '/api/consignment/document', '-', '--json'], {}, body)
    expect((JSON.parse(output) as ExplainedCall).requests[0]?.body).toBe(body)
  })

  it('explains calls as they are configured', async () => {
    const env = { V1_BASE_URL: 'https://v1.test/prefix', BASE_PATH: '/old' }
    const { output } = await explain(['GET', '/old/country/all?code=de', '--json'], env)
    const { requests } = JSON.parse(output) as ExplainedCall
    expect(requests.map(({ url }) => url)).toEqual([
      'https://v1.test/prefix/api/v1/public/shared/countries?code=de&page=1&perPage=200',
    ])
    const text = await explain(['GET', '/old/country/all'], env)
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

  it('exits 1 also with JSON, and where v1 has no equivalent', async () => {
    const json = await explain(['GET', '/api/invoice/list', '--json'])
    expect(json).toMatchObject({ exit: 1, errors: '' })
    expect(JSON.parse(json.output)).toMatchObject({ refusal: { status: 405 } })
    const charges = await explain(['POST', '/api/transaction/charge/list', '{}'])
    expect(charges).toMatchObject({ exit: 1, output: '' })
    expect(charges.errors).toContain('v1 has no equivalent')
  })

  it('lets nothing of the path steer a terminal', async () => {
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

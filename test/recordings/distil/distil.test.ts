import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { redactor } from '../../../src/exchange/redactor.ts'
import type { DistilReport } from '../../../src/recordings/distil/write-distilled.ts'
import { readRecording } from '../../../src/recordings/read-recording.ts'
import { HAR_SCHEMA } from '../../support/har-schema.ts'
import { madeTraffic, recordingOf, varied } from '../../support/made-traffic.ts'
import { naiveCoverage } from '../../support/naive-coverage.ts'
import { runRecordedCases } from '../../support/run-case.ts'
import { type Ran, runCommand } from '../../support/run-command.ts'
import {
  DEMO,
  fileOf,
  INVOICES,
  line,
  newDirectory,
  runReplay,
  startServices,
  UNSET,
} from '../../support/run-replay.ts'

const KEY = { TOKEN_KEY: Buffer.alloc(32, 7).toString('base64') }

interface Distilled extends Ran {
  readonly files: readonly string[]
  readonly directory: string
  text(name: string): string
  report(): DistilReport
}

async function distil(files: readonly string[], more: readonly string[] = [], out?: string): Promise<Distilled> {
  const directory = out ?? join(newDirectory(), 'made', 'for it')
  const ran = await runCommand(['distil', ...files, '--out', directory, ...more], { ...UNSET, ...KEY })
  const text = (name: string): string => readFileSync(join(directory, name), 'utf8')
  return { ...ran, files, directory, text, report: () => JSON.parse(text('distil.json')) as DistilReport }
}

const distilled = (content: string | Uint8Array, more: readonly string[] = []): Promise<Distilled> =>
  distil([fileOf(content)], more)

/** All that is in a directory, as one text. */
const everything = (directory: string): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .join('\n')

const made = await madeTraffic(300, 1)
const recorded = recordingOf(made)
/** What is made of it, for tests that only read it. */
const distillate = await distilled(recorded)

describe('legacy-gateway distil', () => {
  it('keeps the coverage of 1,000 exchanges in fewer than 250', async () => {
    const all = recordingOf(varied(made, 1_000, 2))
    const { exit, output, report, text } = await distilled(all)
    expect(exit).toBe(0)
    const { read, kept, elements, covered, operations, exchanges } = report()
    expect({ read, covered }).toEqual({ read: 1_000, covered: elements })
    expect(kept).toBeLessThan(250)
    expect(elements).toBeGreaterThan(800)
    expect(operations.length).toBe(15)
    expect(exchanges.every(({ alone }) => alone.count > 0)).toBe(true)
    expect(output).toMatch(/^kept \d+ of 1,000 exchanges \(\d+(?:\.\d\d)? %\), .*: ([\d,]+) of \1 elements$/m)
    expect(output).toMatch(/^invoice-list +[\d,]+ +\d+ +(\d+) of \1$/m)
    const shown = naiveCoverage(text('recording.ndjson'))
    expect([...naiveCoverage(all.toString())].filter((one) => !shown.has(one))).toEqual([])
  })

  it('keeps lines byte for byte, in their order, and says where they come from', () => {
    const { report, text } = distillate
    const lines = recorded.toString().split('\n')
    const { exchanges } = report()
    expect(text('recording.ndjson').split('\n').slice(0, -1)).toEqual(exchanges.map(({ line }) => lines[line - 1]))
    expect(exchanges.map(({ line }) => line)).toEqual(exchanges.map(({ line }) => line).sort((a, b) => a - b))
    expect(exchanges.map(({ kept }) => kept)).toEqual(exchanges.map((_, at) => at + 1))
  })

  it('keeps lines of older gateways as they are, and names the key and who answered only where the line does', async () => {
    const { text, report } = distillate
    const recordedOf = ({ text }: Pick<Distilled, 'text'>, name: string) =>
      (JSON.parse(text(name)) as { readonly recorded: object }).recorded
    const first = report().exchanges.find((one) => one.case !== null)
    expect(recordedOf(distillate, first?.case ?? '')).toEqual({
      at: expect.stringMatching(/^2026-01-01T/),
      key: redactor(Buffer.alloc(32, 7)).key,
      answeredBy: 'legacy',
    })
    const old = text('recording.ndjson').replaceAll(/"key":"[^"]*","answeredBy":"legacy",/g, '')
    const again = await distilled(old)
    expect(old.split('\n')).toEqual(expect.arrayContaining(again.text('recording.ndjson').split('\n')))
    const older = again.report().exchanges.find((one) => one.case !== null)
    expect(recordedOf(again, older?.case ?? '')).toEqual({ at: expect.stringMatching(/^2026-01-01T/) })
    expect(again.text('recording.har')).not.toContain('_key')
  })

  it('gives the same for the same', async () => {
    const again = await distil(distillate.files)
    expect(everything(again.directory)).toBe(everything(distillate.directory))
    expect(statSync(join(again.directory, 'recording.ndjson')).mode & 0o777).toBe(0o600)
  })

  it('writes a valid HAR, which is read as the recording is', async () => {
    const { directory, text } = distillate
    const isValid = new Ajv2020({ strict: false }).compile(HAR_SCHEMA)
    expect(isValid(JSON.parse(text('recording.har'))), JSON.stringify(isValid.errors)).toBe(true)
    const readAll = async (name: string): Promise<unknown> => {
      const all: unknown[] = []
      for await (const entry of readRecording(join(directory, name), { everything: true })) {
        if ('problem' in entry) throw new Error(entry.problem)
        const { at, method, path, headers, body, status, answer } = entry
        all.push({ at, method, path, headers, status, body: String(body), answer: String(answer) })
      }
      return all
    }
    expect(await readAll('recording.har')).toEqual(await readAll('recording.ndjson'))
  })

  it('writes golden cases, whose requests become the v1 calls that they name', async () => {
    const { directory, report } = await distilled(recorded, ['--max', '40'])
    const cases = report().exchanges.flatMap((one) => (one.case === null ? [] : [one.case]))
    expect(cases.length).toBeGreaterThan(25)
    await runRecordedCases(cases.map((name) => join(directory, name)))
  })

  it('is replayed as any recording', async () => {
    const { directory, report } = distillate
    const { legacyUrl, v1Url } = await startServices()
    const words = [join(directory, 'recording.ndjson'), '--legacy', legacyUrl, '--v1', v1Url, ...DEMO]
    const { exit, json } = await runReplay(words)
    expect(exit).not.toBe(2)
    expect(json().totals).toMatchObject({ requests: report().kept, failed: 0 })
  })

  it('keeps those that cover most, with --max', async () => {
    const { output, report } = await distilled(recorded, ['--max', '3'])
    const { kept, covered, elements } = report()
    expect(kept).toBe(3)
    expect(covered).toBeLessThan(elements)
    expect(output).toMatch(/^--max 3 leaves \d+ elements uncovered \(covered: \d+(?:\.\d\d)? %\)\.$/m)
  })

  it('looks at one operation, with --operation', async () => {
    const { output, report } = await distilled(recorded, ['--operation', 'currency-list'])
    expect(report().operations.map(({ operation }) => operation)).toEqual(['currency-list'])
    expect(output).toMatch(/^\d+ exchanges of other operations left out\.$/m)
  })

  it('merges several files by time, packed or not', async () => {
    const lines = recorded.toString().trimEnd().split('\n')
    const part = (rest: number): string => `${lines.filter((_, at) => at % 2 === rest).join('\n')}\n`
    const { text, report } = await distil([fileOf(gzipSync(part(1))), fileOf(part(0))])
    const kept = text('recording.ndjson').trimEnd().split('\n')
    expect(report().read).toBe(lines.length)
    expect(kept.map((one) => lines.indexOf(one))).toEqual(kept.map((one) => lines.indexOf(one)).sort((a, b) => a - b))
  })
})

describe('what is safe to hand on', () => {
  const entry = (url: string, body: object, answer: object) => ({
    startedDateTime: '2025-01-01T00:00:00.000Z',
    request: {
      method: 'POST',
      url: `https://legacy.test${url}`,
      headers: [{ name: 'Authorization', value: 'Bearer very-secret' }],
      postData: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
    response: { status: 200, content: { text: JSON.stringify(answer) } },
  })

  it('redacts a HAR: no credential and no person is in any file', async () => {
    const har = {
      log: {
        version: '1.2',
        entries: [
          entry(
            '/api/invoice/list',
            { search: 'A-1' },
            { data: [{ id: 1, firstName: 'Perihan', company: 'Öztürkler' }] },
          ),
          entry('/auth/application', { clientId: 'very-secret', secretKey: 'very-secret' }, { token: 'very-secret' }),
          entry('/customers/Perihan?mail=very-secret', { note: 'very-secret' }, { note: 'very-secret' }),
        ],
      },
    }
    const { directory, text, report } = await distilled(JSON.stringify(har))
    expect(report().kept).toBe(3)
    expect(everything(directory)).not.toMatch(/very-secret|Perihan|Öztürkler|legacy\.test/)
    expect(text('recording.ndjson')).toContain('"path":"/*/*"')
    expect(text('recording.ndjson')).toContain('"search":"A-1"')
  })

  it.each([
    ['a header that no recording has', { headers: { cookie: 'very-secret' } }],
    ['a secret in its body', { body: { token: 'very-secret' } }],
    ['a secret with an escape in its name', { body: 'x' }],
    ['a secret in its query', { path: '/api/invoice/list?token=very-secret' }],
  ])('redacts a line with %s', async (name, other) => {
    const request = { method: 'POST', path: '/api/invoice/list', headers: {}, ...other }
    const written = JSON.stringify({ v: 1, request, response: { status: 200, body: { data: [] } } })
    const escaped = name.includes('escape') ? written.replace('"x"', '{"tok\\u0065n":"very-secret"}') : written
    const { directory, report } = await distilled(`${escaped}\n`)
    expect(report().kept).toBe(1)
    expect(everything(directory)).not.toContain('very-secret')
  })
})

describe('odd files', () => {
  it.each([
    ['is empty', '', /: no exchange in this recording$/m],
    [
      'has only unreadable lines',
      'no\n{}\n',
      /recording: looks like another text; only recordings of the gateway \(NDJSON\), HAR 1\.2 files, .*\n$/,
    ],
  ])('exits 2 if a file %s, and leaves nothing', async (_, content, why) => {
    const { exit, errors, output, directory } = await distilled(content)
    expect({ exit, output }).toEqual({ exit: 2, output: '' })
    expect(errors).toMatch(why)
    expect(() => readdirSync(directory)).toThrow('ENOENT')
  })

  it('says which lines cannot be read, and goes on', async () => {
    const { exit, errors, output, report } = await distilled(`${line(INVOICES, {})}no\n`)
    expect(exit).toBe(0)
    expect(errors).toMatch(/:2: not JSON$/m)
    expect(output).toContain('1 line could not be read')
    expect(report().unreadable).toMatchObject({ count: 1, first: [{ line: 2, problem: 'not JSON' }] })
  })

  it('keeps forms, redacted, and lines with them byte for byte; a call whose body cannot be kept is named, and not chosen', async () => {
    const type = { name: 'Content-Type', value: 'application/x-www-form-urlencoded' }
    const form = (text: string): object => ({
      ...{ method: 'POST', url: 'https://legacy.test/api/invoice/list', headers: [type] },
      postData: { mimeType: type.value, text },
    })
    const parts = '--x\r\nContent-Disposition: form-data; name="phone"\r\n\r\n5551234567\r\n--x--'
    const multipart = { ...form(parts), headers: [{ name: 'Content-Type', value: 'multipart/form-data; boundary=x' }] }
    const entries = [form('search=A-1&email=ada%40mail.test'), multipart].map((request) => ({ request }))
    const ofHar = await distilled(JSON.stringify({ log: { version: '1.2', entries } }))
    expect(ofHar.errors).toMatch(/:2: its body is not recorded: a multipart form$/m)
    expect(ofHar.report()).toMatchObject({ kept: 1, unreadable: { count: 1, first: [{ line: 2 }] } })
    const lines = ofHar.text('recording.ndjson')
    expect(lines).toMatch(/"form":"search=A-1&email=\S+%40\w\.example"/)
    expect(everything(ofHar.directory)).not.toMatch(/ada(?:@|%40)|5551234567/)

    const omitted = { method: 'POST', path: '/api/invoice/list', bodyOmitted: 'a multipart form' }
    const ofLines = await distilled(`${lines}${JSON.stringify({ v: 1, request: omitted })}\n`)
    expect(ofLines.text('recording.ndjson')).toBe(lines)
    expect(ofLines.report()).toMatchObject({ redacted: 0, unreadable: { count: 1, first: [{ line: 2 }] } })
    // The HAR of an exchange without an answer does not say that no server answered.
    const again = await distil([join(ofLines.directory, 'recording.har')])
    expect(again.report()).toMatchObject({ kept: 1, unreadable: { count: 0 } })
  })

  it('names each missing path, and leaves out files of other kinds in a directory', async () => {
    const missing = await distil(['b.ndjson', fileOf('x'), 'c'])
    expect(missing.exit).toBe(2)
    expect(missing.errors).toBe('b.ndjson: no such file or directory\nc: no such file or directory\n')
    const directory = newDirectory()
    writeFileSync(join(directory, 'a.ndjson'), line(INVOICES, {}))
    writeFileSync(join(directory, 'report.json'), '{"version": 2, "startedAt": "2025-01-01T00:00:00.000Z"}')
    const { exit, errors, report } = await distil([directory])
    expect([exit, report().kept]).toEqual([0, 1])
    expect(errors).toMatch(/report\.json: looks like a report of replay; only .*gzip: it is left out$/m)
  })

  it('takes a Postman collection, which has no answers', async () => {
    const item = (search: string) => ({
      name: search,
      request: {
        method: 'POST',
        url: 'https://x.test/api/invoice/list',
        body: { mode: 'raw', raw: JSON.stringify({ search }) },
      },
    })
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
    const { report, text } = await distilled(
      JSON.stringify({ info: { name: 'a', schema }, item: [item('a'), item('b')] }),
    )
    expect(report()).toMatchObject({ read: 2, kept: 1, exchanges: [{ status: null }] })
    expect(JSON.parse(text('recording.ndjson'))).not.toHaveProperty('response')
  })

  it('takes a line of 8 MB', async () => {
    const answer = { data: [{ company: 'x'.repeat(8 * 1024 * 1024) }] }
    const long = {
      v: 1,
      request: { method: 'POST', path: '/api/invoice/list', headers: {} },
      response: { status: 200, body: answer },
    }
    const { exit, text } = await distilled(`${line(INVOICES, {})}${JSON.stringify(long)}\n`)
    expect(exit).toBe(0)
    expect(text('recording.ndjson').length).toBeGreaterThan(8 * 1024 * 1024)
  })

  it('bounds the members that a service makes up, and says so', async () => {
    const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`made${at}`, at]))
    const exchange = {
      v: 1,
      request: { method: 'POST', path: '/api/invoice/list', headers: {} },
      response: { status: 200, body: data },
    }
    const { output, report } = await distilled(`${JSON.stringify(exchange)}\n`)
    expect(report().elements).toBeLessThan(220)
    expect(report().tooManyMembers).toEqual(['invoice-list'])
    expect(output).toContain('invoice-list has more than 100 members that no mapping line knows')
  })
})

describe('the directory', () => {
  const small = fileOf(line(INVOICES, {}))

  it('is not overwritten, but with --force if distil made it', async () => {
    const { directory } = await distil([small])
    writeFileSync(join(directory, 'mine.txt'), 'mine')
    const refused = await distil([small], [], directory)
    expect(refused.exit).toBe(2)
    expect(refused.errors).toContain('not empty: add --force to replace what distil wrote there')
    const replaced = await distil([fileOf(line(INVOICES, { id: 1 }))], ['--force'], directory)
    expect(replaced.exit).toBe(0)
    expect(replaced.text('recording.ndjson')).toContain('"id":1')
    expect(readdirSync(directory).sort()).toEqual([
      'cases',
      'distil.json',
      'mine.txt',
      'recording.har',
      'recording.ndjson',
    ])
  })

  it('of someone else is left alone, even with --force', async () => {
    const directory = newDirectory()
    writeFileSync(join(directory, 'recording.ndjson'), 'mine')
    const { exit, errors } = await distil([small], ['--force'], directory)
    expect(exit).toBe(2)
    expect(errors).toContain('not a directory that distil made')
    expect(readFileSync(join(directory, 'recording.ndjson'), 'utf8')).toBe('mine')
  })

  it('may hold what is distilled again', async () => {
    const { directory } = await distil([small])
    const again = await distil([join(directory, 'recording.ndjson')], ['--force'], directory)
    expect(again.exit).toBe(0)
    expect(again.report().kept).toBe(1)
  })

  it.each([
    [['--max', '0'], '--max must be a whole number of at least 1'],
    [['--operation', 'nothing'], '--operation must be one of '],
  ])('is not even made for wrong options: %j', async (more, why) => {
    const { exit, errors } = await distil([small], more)
    expect(exit).toBe(2)
    expect(errors).toContain(why)
    expect(errors).toMatch(/\nAdd --help for usage\.\n$/)
  })
})

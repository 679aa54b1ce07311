import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import {
  COUNTRIES,
  counting,
  DEMO,
  IMPORT,
  INVOICES,
  line,
  newDirectory,
  runReplay,
  type Services,
  startServices,
  UNITS,
} from '../support/run-replay.ts'

const COMPLETE = 'POST /api/single/point/import/complete'

/** A line of a replica's recording; `more` replaces members of it. */
function lineOf(replica: string, second: number, request: string, body?: object, more: object = {}): string {
  const at = new Date(Date.UTC(2025, 0, 1, 0, 0, second)).toISOString()
  return `${JSON.stringify({ ...(JSON.parse(line(request, body)) as object), at, replica, ...more })}\n`
}

/** A directory with these files. */
function directoryWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = newDirectory()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return directory
}

const over = (
  { legacyUrl, v1Url }: Pick<Services, 'legacyUrl' | 'v1Url'>,
  paths: readonly string[],
  more: readonly string[] = DEMO,
) => runReplay([...paths, '--legacy', legacyUrl, '--v1', v1Url, ...more])

/** Nothing is planted there: every test may ask them. */
const faultless = await startServices()

describe.concurrent('legacy-gateway replay of several files', { timeout: 60_000 }, () => {
  it('replays what several replicas recorded in the order of the calls, from files and directories', async () => {
    const legacy = await startHttpServer((_, response) =>
      response.setHeader('content-type', 'application/json').end('[]'),
    )
    const country = (replica: string, second: number) => lineOf(replica, second, `${COUNTRIES}?code=${second}`)
    const directory = directoryWith({
      'a.ndjson': country('a', 5) + country('a', 8),
      'a.ndjson.1': country('a', 1) + country('a', 4),
      'b.ndjson.gz': gzipSync(country('b', 2) + country('b', 6)),
      'c.ndjson': '',
    })
    const other = directoryWith({ traffic: country('d', 3) + country('d', 7) })
    const { v1Url } = faultless
    const paths = [directory, join(other, 'traffic')]
    const ran = await over({ legacyUrl: legacy.url, v1Url }, paths, ['--concurrency', '1', '--no-confirm'])
    expect(ran.errors).toContain('Replaying 8 exchanges of 5 files: ')
    const codes = legacy.received.flatMap(({ target }) => /^\/country\/all\?code=(\d)$/.exec(target)?.[1] ?? [])
    expect(codes).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
  })

  it('names the file of each line that differs, fails or is skipped, in all reports', async () => {
    const services = await startServices()
    await services.plant('legacy', {
      ...{ path: '/api/invoice/list', kind: 'change', at: 'data[].priceTry', to: 0, calls: 'all' },
    })
    const directory = directoryWith({
      'a.ndjson':
        lineOf('a', 1, COUNTRIES) + lineOf('a', 3, INVOICES, { perPage: 1 }) + lineOf('a', 5, 'GET /elsewhere'),
      'b.ndjson': lineOf('b', 2, INVOICES, { perPage: 2 }) + lineOf('b', 4, 'GET /elsewhere'),
    })
    const [a, b] = [join(directory, 'a.ndjson'), join(directory, 'b.ndjson')]
    const { exit, json, report } = await over(services, [directory])
    expect(exit).toBe(1)
    expect(json().replayed).toMatchObject({ file: directory, files: [a, b] })
    expect(counting(json(), 'invoice-list')).toEqual(['changed data[].priceTry < items[].priceTry: 2 (1 2)'])
    const [invoices, unknown] = ['invoice-list', 'unknown'].map((id) =>
      json().operations.find(({ operation }) => operation === id),
    )
    expect(invoices?.differences.find(({ ignored }) => ignored === null)).toMatchObject({
      lines: [1, 2],
      places: [
        { file: b, line: 1 },
        { file: a, line: 2 },
      ],
    })
    expect(unknown?.uncompared).toMatchObject([
      {
        lines: [2, 3],
        places: [
          { file: b, line: 2 },
          { file: a, line: 3 },
        ],
      },
    ])
    for (const name of ['report.html', 'junit.xml'] as const) {
      expect(report(name)).toContain(`${b}:1, ${a}:2`)
      expect(report(name)).toContain(`${b}:2, ${a}:3`)
    }
    expect(report('report.html')).toContain(`<code>${directory}</code> (2 files)`)
  })

  it('names the file of a line that cannot be read, and what it leaves out of a directory', async () => {
    const directory = directoryWith({
      'a.ndjson': `${lineOf('a', 1, COUNTRIES)}nonsense\n`,
      'b.ndjson': `\n{"v":2}\n${lineOf('b', 2, UNITS)}`,
      'notes.txt': 'x',
    })
    mkdirSync(join(directory, 'older'))
    const [a, b] = [join(directory, 'a.ndjson'), join(directory, 'b.ndjson')]
    const { exit, errors, json, report } = await over(faultless, [directory])
    expect(exit).toBe(3)
    expect(errors).toContain(
      `${directory}/notes.txt: left out: its name is not that of a recording\n${a}:2: not JSON\n${b}:2: version 2 is not supported, only version 1\n`,
    )
    expect(json()).toMatchObject({
      totals: { requests: 2, matched: 2 },
      unreadable: {
        count: 2,
        first: [
          { file: a, line: 2, problem: 'not JSON' },
          { file: b, line: 2 },
        ],
      },
    })
    expect(report('report.html')).toContain(`<li>${a}:2: not JSON</li>`)
  })

  it('reads a file given twice only once, and names no file where there is only one', async () => {
    const directory = directoryWith({ 'a.ndjson': lineOf('a', 1, COUNTRIES) + lineOf('a', 2, 'GET /elsewhere') })
    const file = join(directory, 'a.ndjson')
    const { errors, json, report } = await over(faultless, [file, directory, file])
    expect(errors).toContain('Replaying 2 exchanges: ')
    expect(json().totals.requests).toBe(2)
    expect(json().replayed).not.toHaveProperty('files')
    const [skipped] = json().operations.find(({ operation }) => operation === 'unknown')?.uncompared ?? []
    expect(skipped).toEqual({ outcome: 'skipped', reason: 'no known operation', requests: 1, lines: [2] })
    expect(report('junit.xml')).toContain('no known operation: 1, line 2')
  })

  it('cannot run where a path is missing, a directory has no recording, or no file has an exchange', async () => {
    const directory = directoryWith({ 'a.ndjson': lineOf('a', 1, COUNTRIES) })
    const [empty, bare] = [directoryWith({ 'a.ndjson': '', 'b.ndjson': '\n' }), newDirectory()]
    for (const [paths, says] of [
      [[directory, join(directory, 'missing')], `${directory}/missing: no such file or directory\n`],
      [['b.ndjson', directory, 'c'], 'b.ndjson: no such file or directory\nc: no such file or directory\n'],
      [[directory, bare], `${bare}: no recording in this directory`],
      [[empty], `${empty}: no exchange in these files`],
    ] as const) {
      const { exit, errors } = await over(faultless, paths)
      expect([exit, errors]).toEqual([2, expect.stringContaining(says)])
    }
  })
})

describe.concurrent('files of other kinds', { timeout: 60_000 }, () => {
  it('are left out of a directory, and refused if they are given', async () => {
    const directory = directoryWith({
      'a.ndjson': lineOf('a', 1, COUNTRIES),
      'package.json': '{"name":"x","version":"1.0.0","dependencies":{}}',
    })
    const manifest = join(directory, 'package.json')
    const left = await over(faultless, [directory])
    expect(left.exit).toBe(3)
    expect(left.errors).toMatch(
      /package\.json: looks like a package\.json; only .*gzip: it is left out\nReplaying 1 exchange: /,
    )
    const { exit, errors } = await over(faultless, [join(directory, 'a.ndjson'), manifest])
    expect(exit).toBe(2)
    expect(errors).toMatch(/package\.json: looks like a package\.json; only .* can be read, each also as gzip\n$/)
  })

  it('get one sentence, however many lines they have', async () => {
    const log = '10.0.0.1 - - [27/Nov/2025:10:00:00 +0300] "GET /api/currency HTTP/1.1" 200 512\n'.repeat(200_000)
    const directory = directoryWith({ 'access.log': log })
    const { exit, errors } = await over(faultless, [join(directory, 'access.log')])
    expect(exit).toBe(2)
    expect(errors).toBe(
      `${directory}/access.log: looks like an access log; only recordings of the gateway (NDJSON), HAR 1.2 files, Postman collections 2.1 and golden cases can be read, each also as gzip\n`,
    )
  })
})

describe('a path that does not exist', () => {
  it('is named by its number only where it may be a secret after a mistyped option', async () => {
    const directory = directoryWith({ 'a.ndjson': lineOf('a', 1, COUNTRIES) })
    for (const words of [
      ['\u2014secret-key', 'hush'],
      ['--legacy-token', 'some', 'hush'],
      ['--no-confirm', 'hush'],
    ]) {
      const { exit, errors } = await over(faultless, [directory, ...words], [])
      expect([words, exit, errors]).toEqual([words, 2, expect.stringMatching(/path \d of \d: no such file/)])
      expect(errors).not.toContain('hush')
    }
  })
})

describe.concurrent('writes that several replicas recorded', { timeout: 120_000 }, () => {
  it('come before the calls that use what they gave, whichever replica answered those', async () => {
    const services = await startServices()
    // Each replica answered the writes of which another one's calls use the ids.
    const made = (replica: string, second: number, id: number) => {
      const body = { name: `import ${id}`, shipmentId: `G${id}` }
      return lineOf(replica, second, IMPORT, body, { response: { status: 200, ms: 300, body: { id, ...body } } })
    }
    const completed = (replica: string, second: number, id: number) => lineOf(replica, second, COMPLETE, { id })
    const directory = directoryWith({
      'a.ndjson': completed('a', 4, 7_002) + made('a', 5, 7_003) + completed('a', 8, 7_004),
      'b.ndjson': made('b', 1, 7_001) + made('b', 3, 7_002) + completed('b', 6, 7_003),
      'c.ndjson': completed('c', 2, 7_001) + made('c', 7, 7_004),
    })
    const wanted = [...DEMO, '--include-writes', '--target', '0.5', '--concurrency', '8']
    const { json, output } = await over(services, [directory], wanted)
    expect(json().totals, output).toMatchObject({ requests: 8, mismatched: 0, failed: 0, skipped: 0 })
    for (const id of ['import-create', 'import-complete']) {
      expect(json().operations.find(({ operation }) => operation === id)).toMatchObject({
        ...{ totals: { requests: 4 }, errors: { matched: 0, mismatched: 0 }, units: { distinct: 4 } },
      })
    }
  })
})

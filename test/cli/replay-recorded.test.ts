import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Report } from '../../src/control-plane/evidence/report/report-json.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { type ChangeAnswer, startChanged } from '../support/changed-v1.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'
import { COUNTRIES, DEMO, fileOf, line, newDirectory, type Ran, runReplay, UNSET } from '../support/run-replay.ts'
import { DEMO_LOGIN, type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'

const KEY = { TOKEN_KEY: Buffer.alloc(32, 7).toString('base64') }
const OTHER_KEY = { TOKEN_KEY: Buffer.alloc(32, 8).toString('base64') }
/** Six units are enough for it. */
const TARGET = ['--target', '0.6'] as const
const CALLS = 6

/** The address of v1. All sandboxes start with the same data. */
let v1Url = ''
let legacyUrl = ''
/** What a gateway recorded of invoices, countries and a write while legacy answered. */
let recording = ''

/** A gateway that records while legacy answers. */
const startRecording = (): Promise<SideBySide> =>
  startSideBySide(
    { operations: { '*': { serve: 'legacy' } } },
    { settings: (folder) => ({ recordFile: join(folder, 'traffic.ndjson'), tokenKeys: [Buffer.alloc(32, 7)] }) },
  )

beforeAll(async () => {
  const sides = await startRecording()
  for (let call = 0; call < CALLS; call++) {
    expect((await sides.call('/api/invoice/list', { perPage: call + 3 })).status).toBe(200)
    expect((await sides.call(`/country/all?code=${['de', 'fr', 'tr', 'us', 'gb', 'it'][call]}`)).status).toBe(200)
  }
  expect((await sides.call('/api/invoice/list', { sortBy: 'nothing' })).status).toBe(400)
  await sides.call('/api/single/point/import', { name: 'Tek nokta' })
  await sides.gateway.close()
  recording = join(sides.folder, 'traffic.ndjson')
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  v1Url = sandbox.v1Url
  legacyUrl = sandbox.legacyUrl ?? ''
}, 60_000)

const replay = (
  files: readonly string[],
  options: readonly string[] = [],
  env: Record<string, string> = KEY,
  v1 = v1Url,
): Promise<Ran> => runReplay(['--recorded', ...files, '--v1', v1, ...DEMO, ...TARGET, ...options], env)

/** Replays against a v1 that gives some answers otherwise. */
async function changed(change: ChangeAnswer, options: readonly string[] = [], env: Record<string, string> = KEY) {
  const { url } = await startChanged(v1Url, change)
  return replay([recording], options, env, url)
}

const ofOperation = (report: Report, id: string) => report.operations.find(({ operation }) => operation === id)
const today = (): string => new Date().toISOString().slice(0, 10)

/** The differences of all operations that count. */
const found = ({ json }: Ran): readonly string[] =>
  json().operations.flatMap(({ differences }) =>
    differences.filter(({ ignored }) => ignored === null).map(({ kind, path }) => `${kind} ${path}`),
  )

/** Another name for everyone. */
const renamed: ChangeAnswer = (_, text) => text.replaceAll(/"firstName":"[^"]+"/g, '"firstName":"Başka"')
/** Another currency, which is no personal value. */
const otherCurrency: ChangeAnswer = (_, text) => text.replaceAll(/"currencyCode":"[^"]*"/g, '"currencyCode":"XXX"')
/** Another name of the member. */
const givenName: ChangeAnswer = (_, text) => text.replaceAll('"firstName":', '"givenName":')
/** The lines that the reports propose. */
const proposed = ({ report }: Ran): readonly { readonly legacy: string; readonly line: object }[] =>
  (
    JSON.parse(report('propose.json')) as {
      readonly operations: readonly { readonly proposals: readonly { legacy: string; line: object }[] }[]
    }
  ).operations.flatMap(({ proposals }) => proposals)
const nameless: ChangeAnswer = (_, text) => text.replaceAll(/"firstName":"[^"]+"/g, '"firstName":null')

describe('replay --recorded, with the key of the recording', { timeout: 60_000 }, () => {
  it('proves v1 by the recorded answers alone: no legacy service is there', async () => {
    const { url, received } = await startChanged(v1Url, () => undefined)
    const ran = await replay([recording], [], KEY, url)
    expect([ran.exit, ran.errors]).toEqual([0, expect.stringContaining(`what is recorded is compared with ${url}`)])
    const report = ran.json()
    expect(ofOperation(report, 'invoice-list')).toMatchObject({
      ...{ verdict: 'ready', totals: { requests: CALLS + 1, matched: CALLS + 1 }, units: { distinct: CALLS } },
      errors: { matched: 1, mismatched: 0 },
    })
    expect(ofOperation(report, 'country-list')).toMatchObject({ verdict: 'ready', totals: { matched: CALLS } })
    expect(report.recorded?.byType).toEqual({ exchanges: 0, values: 0, why: {} })
    expect(report.replayed).toMatchObject({ legacy: null, v1: url, options: expect.arrayContaining(['--recorded']) })
    // Only the login is a POST: a write is never sent.
    expect(received.filter(({ method }) => method !== 'GET').map(({ target }) => target)).toEqual([
      expect.stringContaining('auth'),
    ])
    expect(ofOperation(report, 'import-create')?.uncompared).toMatchObject([{ outcome: 'skipped', reason: 'a write' }])
    expect(new Set(received.map(({ target }) => target)).size).toBe(received.length)
  })

  it('says in every report against which answers', async () => {
    const ran = await replay([recording])
    const says = `against answers recorded on ${today()}`
    expect(ran.output).toMatch(new RegExp(`^All together: insufficient data; ${says}\\. `, 'm'))
    expect(ran.output).toMatch(new RegExp(`^invoice-list .* ready; .* were never seen; ${says} `, 'm'))
    expect(ran.json().overall.says).toBe(`insufficient data; ${says}`)
    expect(ran.report('report.html')).toContain(
      `>insufficient data</span><span class="says"><span class="and">; </span>${says}<`,
    )
    expect(ran.report('report.html')).toContain('the answers in the recording')
    expect(ran.report('junit.xml')).toMatch(new RegExp(`verdict: ready; .*; ${says}`))
  })

  it('names the first and the last day of the compared calls', async () => {
    const moved = readFileSync(recording, 'utf8')
      .split('\n')
      .map((text, at) => text.replace(/"at":"[^T]*/, `"at":"2025-11-${at < 4 ? '02' : '09'}`))
    const { json } = await replay([fileOf(moved.join('\n'))])
    expect(json().overall.says).toBe('insufficient data; against answers recorded 2025-11-02 to 2025-11-09')
  })

  it.each([
    ['a personal value', renamed, 'changed data[].firstName'],
    ['another value', otherCurrency, 'changed data[].currency.code'],
    ['a type', nameless, 'type data[].firstName'],
  ])('finds a v1 that changed %s, and does not know of drift', async (_, change, difference) => {
    const ran = await changed(change)
    expect([ran.exit, found(ran)]).toEqual([1, [difference]])
    expect(ofOperation(ran.json(), 'invoice-list')?.differences[0]).toMatchObject({ drift: null, noise: null })
    expect(ran.report('report.html')).toContain('unknown')
  })

  it('finds a v1 that answers an error, or nothing that can be read', async () => {
    const ran = await changed((_, text) => (text.includes('"firstName"') ? '<html>' : text))
    expect([ran.exit, found(ran)]).toEqual([1, ['failure ']])
  })

  it('proposes no line, since pseudonyms cannot be traced to v1’s own answer', async () => {
    const ran = await changed(givenName)
    expect(found(ran)).toEqual(['missing data[].firstName'])
    expect(proposed(ran)).toEqual([])
  })

  it('compares large answers too, which another thread of the gateway redacts', async () => {
    const sides = await startRecording()
    expect((await sides.call('/api/invoice/list', { perPage: 5_000 })).text.length).toBeGreaterThan(32 * 1024)
    const file = join(sides.folder, 'traffic.ndjson')
    await until(() => readFileSync(file, 'utf8').includes('"invoice-list"'))
    const same = (await replay([file])).json()
    expect([ofOperation(same, 'invoice-list')?.totals.matched, same.recorded?.byType.exchanges]).toEqual([1, 0])
    const { url } = await startChanged(v1Url, renamed)
    expect(found(await replay([file], [], KEY, url))).toEqual(['changed data[].firstName'])
  })

  it('accepts an older key of TOKEN_KEY', async () => {
    const { json } = await replay([recording], [], { TOKEN_KEY: `${OTHER_KEY.TOKEN_KEY},${KEY.TOKEN_KEY}` })
    expect(json().recorded?.byType.exchanges).toBe(0)
  })
})

describe('replay --recorded, with another key or none', { timeout: 60_000 }, () => {
  it.each([
    ['another', OTHER_KEY],
    ['none', {}],
  ] as const)('compares personal values by presence and type, and says how many (%s)', async (_, env) => {
    const ran = await replay([recording], [], env)
    expect(ran.exit).toBe(0)
    const { byType } = ran.json().recorded ?? {}
    expect(byType).toMatchObject({ exchanges: CALLS, why: { 'recorded under another key': CALLS } })
    expect(byType?.values).toBeGreaterThan(3 * CALLS)
    const says = `personal values of ${CALLS} exchanges could be compared by presence and type only (recorded under another key: ${CALLS}).`
    expect(ran.output).toContain(says)
    expect(ran.report('report.html')).toContain(says)
  })

  it.each([
    ['not a personal value that changed', renamed, 0, []],
    ['one that is gone', nameless, 1, ['type data[].firstName']],
    [
      'one that is empty',
      ((_, text) => text.replaceAll(/"firstName":"[^"]+"/g, '"firstName":""')) satisfies ChangeAnswer,
      1,
      ['changed data[].firstName'],
    ],
    ['any other value', otherCurrency, 1, ['changed data[].currency.code']],
  ] as const)('finds %s', async (_, change, exit, differences) => {
    const ran = await changed(change, [], OTHER_KEY)
    expect([ran.exit, found(ran)]).toEqual([exit, differences])
    expect(ran.report('propose.json')).not.toContain('Başka')
  })

  it('does so with older recordings, which name no key, and with their tokens, which have no type', async () => {
    const old = readFileSync(recording, 'utf8')
      .replaceAll(/"key":"[^"]*","answeredBy":"legacy",/g, '')
      .replaceAll(/"firstName":"[^"]+"/g, '"firstName":"~Y0RdXH8c1I1EbUYG4sWHPM"')
    const { url } = await startChanged(v1Url, (_, text) => text.replaceAll(/"firstName":"[^"]+"/g, '"firstName":5'))
    const ran = await replay([fileOf(old)], [], KEY, url)
    expect(ran.exit).toBe(0)
    expect(ran.json().recorded?.byType.why).toEqual({ 'the recording names no key': CALLS })
  })
})

describe('a list that grew since it was recorded', { timeout: 60_000 }, () => {
  const grown: ChangeAnswer = (target, text) => {
    if (!target.includes('countries')) return undefined
    const list = JSON.parse(text) as { items: { id: number }[]; meta: { total: number } }
    const last = { ...list.items.at(-1), id: 99_999 }
    return JSON.stringify({ ...list, items: [...list.items, last], meta: { ...list.meta, total: list.meta.total + 1 } })
  }

  it('differs, as the rules tell', async () => {
    const ran = await changed(grown)
    expect([ran.exit, found(ran)]).toEqual([1, ['length ']])
    const rule = { operation: 'country-list', path: '', kind: 'length', why: 'new countries' }
    const rollout = fileOf(JSON.stringify({ ignore: [rule] }))
    const excused = await changed(grown, [], { ...KEY, ROLLOUT_FILE: rollout })
    expect([excused.exit, found(excused)]).toEqual([0, []])
    expect(ofOperation(excused.json(), 'country-list')).toMatchObject({ totals: { ignored: CALLS } })
  })
})

describe('replay --recorded --mapping FILE', { timeout: 60_000 }, () => {
  it('says what a correction would change for a new release of v1', async () => {
    const mapping = fileOf(
      JSON.stringify({
        operations: { 'invoice-list': { response: { 'data[].firstName': { from: 'items[].givenName' } } } },
      }),
    )
    const ran = await changed((_, text) => text.replaceAll('"firstName":', '"givenName":'), ['--mapping', mapping])
    expect(ran.output).toContain('\nWith this file: 1 → 0 differences, 0 new.\n')
    expect(ran.exit).toBe(0)
  })
})

/** A recorded line with another member of the line, or of its answer. */
const withAnswer = (request: string, response: object | undefined, more: object = {}): string =>
  `${JSON.stringify({ ...(JSON.parse(line(request)) as object), ...more, response })}\n`

describe('what is recorded and proves nothing', { timeout: 60_000 }, () => {
  it('is not judged, for a reason, and v1 is not asked', async () => {
    const { url, received } = await startChanged(v1Url, () => undefined)
    const body = [{ id: 1 }]
    const lines = [
      ...[503, 500, 304, 206, 401, 403, 429].map((status) => withAnswer(COUNTRIES, { status, body })),
      withAnswer(COUNTRIES, { status: 200 }),
      withAnswer(COUNTRIES, { status: 404 }),
      withAnswer(COUNTRIES, undefined),
      withAnswer(COUNTRIES, { status: 200, body }, { answeredBy: 'v1' }),
    ]
    const ran = await replay([fileOf(lines.join(''))], [], KEY, url)
    expect(ran.exit).toBe(3)
    expect(ofOperation(ran.json(), 'country-list')).toMatchObject({
      unjudged: {
        ...Object.fromEntries(
          ['503', '500', '304', '206', '401', '403', '429'].map((status) => [`recorded: ${status}`, 1]),
        ),
        ...{ 'recorded: without its body': 2, 'recorded: no answer': 1 },
      },
      account: { skips: { 'v1 answered it': 1 } },
    })
    expect(received.filter(({ target }) => target.includes('countries'))).toEqual([])
    expect(ran.json().overall.says).toBe('insufficient data; against recorded answers')
  })

  it('is the answer to another client, where answers depend on who asks', async () => {
    const others = readFileSync(recording, 'utf8').replaceAll(/"client":"[^"]*"/g, '"client":"AAAAAAAAAAAAAAAAAAAAAA"')
    const { json } = await replay([fileOf(others)])
    expect(ofOperation(json(), 'invoice-list')).toMatchObject({
      account: { skips: { 'another client made it': CALLS + 1 } },
    })
    expect(ofOperation(json(), 'country-list')).toMatchObject({ totals: { matched: CALLS } })
  })
})

describe('other files with answers', { timeout: 60_000 }, () => {
  /** Asks the legacy service, as a browser would, and exports it. */
  async function exported(change: (text: string) => string = (text) => text): Promise<string> {
    const login = await fetch(`${legacyUrl}/auth/application`, { method: 'POST', body: JSON.stringify(DEMO_LOGIN) })
    const { token } = (await login.json()) as { readonly token: string }
    const entries = await Promise.all(
      Array.from({ length: CALLS }, async (_, at) => {
        const text = JSON.stringify({ perPage: at + 3 })
        const url = `${legacyUrl}/api/invoice/list`
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const answer = await fetch(url, { method: 'POST', headers, body: text })
        return {
          startedDateTime: `2025-11-0${at + 2}T10:00:00.000Z`,
          request: { method: 'POST', url, headers: [], postData: { mimeType: 'application/json', text } },
          response: { status: answer.status, content: { text: change(await answer.text()) } },
        }
      }),
    )
    return fileOf(JSON.stringify({ log: { version: '1.2', entries } }))
  }

  it('a HAR has the values themselves, which are compared', async () => {
    const same = await replay([await exported()])
    expect([same.exit, same.json().overall.says]).toEqual([
      0,
      'insufficient data; against answers recorded 2025-11-02 to 2025-11-07',
    ])
    expect(same.json().recorded?.byType.exchanges).toBe(0)
    const other = await replay([
      await exported((text) => text.replaceAll(/"firstName":"[^"]+"/g, '"firstName":"Başka"')),
    ])
    expect([other.exit, found(other)]).toEqual([1, ['changed data[].firstName']])
    const { url } = await startChanged(v1Url, givenName)
    expect(proposed(await replay([await exported()], [], KEY, url))).toMatchObject([
      { legacy: 'data[].firstName', line: { from: 'items[].givenName' } },
    ])
  })

  it('a HAR without content, or with a part of it, is not judged', async () => {
    const none = await replay([await exported(() => '')])
    expect([none.exit, ofOperation(none.json(), 'invoice-list')?.unjudged]).toEqual([
      3,
      { 'recorded: without its body': CALLS },
    ])
    const cut = await replay([await exported((text) => text.slice(0, 100))])
    expect([cut.exit, ofOperation(cut.json(), 'invoice-list')?.unjudged]).toEqual([3, { 'recorded: not JSON': CALLS }])
  })

  it('what distil wrote is compared as the recording is: lines, HAR and golden cases', async () => {
    const out = join(newDirectory(), 'out')
    const distilled = await runCommand(['distil', recording, '--out', out], { ...UNSET, ...KEY })
    expect(distilled.exit).toBe(0)
    const cases = ['invoice-list', 'country-list'].map((operation) => join(out, 'cases', operation))
    for (const files of [[join(out, 'recording.ndjson')], [join(out, 'recording.har')], cases]) {
      const same = await replay(files)
      const invoices = ofOperation(same.json(), 'invoice-list')?.totals
      expect([files, invoices]).toEqual([files, expect.objectContaining({ mismatched: 0, failed: 0 })])
      expect(invoices?.matched).toBeGreaterThan(0)
      expect(same.json().overall.says).toContain(`against answers recorded on ${today()}`)
      expect(same.json().recorded?.byType.exchanges).toBe(0)
      const { url } = await startChanged(v1Url, renamed)
      expect([files, found(await replay(files, [], KEY, url))]).toEqual([files, ['changed data[].firstName']])
      expect((await replay(files, [], OTHER_KEY)).json().recorded?.byType.why).toHaveProperty(
        'recorded under another key',
      )
    }
    // An older distil did not say when and how an exchange was recorded.
    const [name = ''] = readdirSync(cases[0] ?? '').filter((one) => one.startsWith('200'))
    const { recorded: _, ...older } = JSON.parse(readFileSync(join(cases[0] ?? '', name), 'utf8')) as Record<
      string,
      unknown
    >
    const { url } = await startChanged(v1Url, renamed)
    const ran = await replay([fileOf(JSON.stringify(older))], [], KEY, url)
    expect([found(ran), ran.json().recorded?.byType.why]).toEqual([[], { 'the recording names no key': 1 }])
    expect(ran.json().overall.says).toBe('insufficient data; against recorded answers')
  })

  it('a golden case that cannot be read is refused in words', async () => {
    const file = fileOf('{"says":"x","legacy":{"method":"GET"}}')
    const { exit, errors } = await replay([file])
    expect([exit, errors]).toEqual([
      2,
      `${file}: a golden case that cannot be read: legacy.path is missing or malformed\n`,
    ])
  })
})

describe('replay --recorded refuses in words', { timeout: 60_000 }, () => {
  it.each([
    ['--legacy', ['--legacy', 'http://127.0.0.1:1'], 'asks no legacy service: leave out --legacy'],
    ['--repeat-control', ['--repeat-control'], 'asks no legacy service: leave out --repeat-control'],
    [
      '--include-writes',
      ['--include-writes'],
      'sends no write, because it would create every recorded order again: leave out --include-writes',
    ],
  ])('%s', async (_, options, why) => {
    const { exit, errors } = await replay([recording], options)
    expect(exit).toBe(2)
    expect(errors).toContain(`--recorded ${why}`)
  })

  it('a missing address of v1, and not one of legacy', async () => {
    const { exit, errors } = await runReplay(['--recorded', recording])
    expect([exit, errors]).toEqual([2, expect.stringContaining('--v1 is missing: give it, or set V1_BASE_URL')])
    expect(errors).not.toContain('--legacy')
  })

  it('the legacy service in place of v1', async () => {
    const { exit, errors } = await replay([recording], [], KEY, legacyUrl)
    expect([exit, errors]).toEqual([
      2,
      expect.stringContaining(`${legacyUrl} is the legacy service, and was given as v1`),
    ])
  })

  it('and says which token is missing', async () => {
    const { output } = await runReplay(['--recorded', recording, '--v1', v1Url], KEY)
    expect(output).toContain('no token was sent. Give --client-id and --secret-key, or --v1-token.')
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Dossier } from '../../src/control-plane/evidence/dossier/dossier.ts'
import { dossierHtml } from '../../src/control-plane/evidence/dossier/dossier-html.ts'
import { stateFolder } from '../support/comparing-process.ts'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { runCommand } from '../support/run-command.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const TOKEN = 'a-token-of-the-admin'
const folder = stateFolder()
const at = (name: string): string => join(folder, name)
const openssl = (...words: string[]): void => void execFileSync('openssl', words, { stdio: 'pipe' })
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** A key made by openssl, in the older form or in PKCS #8, with its public half. */
function makeKey(name: string, form: 'sec1' | 'pkcs8' = 'pkcs8'): { readonly key: string; readonly pub: string } {
  const [key, pub] = [at(`${name}.pem`), at(`${name}.pub.pem`)]
  if (form === 'sec1') openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key)
  else openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', key)
  openssl('pkey', '-in', key, '-pubout', '-out', pub)
  return { key, pub }
}

const RULE = {
  operation: 'invoice-list',
  path: 'data[].priceUsd',
  why: 'rates move between two reads <script>alert(1)</script>',
}
const EXPIRED = { ...RULE, path: 'data[].priceTry', until: '2020-01-31', why: 'until the rates were corrected' }
const WAIVED = { operation: 'invoice-list', line: 'language en', why: 'no customer reads it', by: 'Bob' }
/** It takes its first step at once. */
const PLAN = { steps: [25, 100], withoutVerdict: 'a short list' }
const BEARER = { headers: { authorization: `Bearer ${TOKEN}` } }
const verify = (file: string, key: string) => runCommand(['dossier', 'verify', file, '--key', key])
const dossierIn = (file: string): Dossier =>
  (JSON.parse(readFileSync(file, 'utf8')) as { readonly dossier: Dossier }).dossier

describe.skipIf(!hasOpenssl)('a dossier', () => {
  let sides: SideBySide
  let signer: ReturnType<typeof makeKey>
  /** A value of a body that both services answer. */
  let secret: string
  const make = (out: string, env: Readonly<Record<string, string>> = {}, ...words: string[]) =>
    runCommand(['dossier', '--out', at(out), '--admin', sides.adminUrl, ...words], { ADMIN_TOKEN: TOKEN, ...env })

  beforeAll(async () => {
    signer = makeKey('signer')
    sides = await startSideBySide(
      {
        operations: { '*': { serve: 'legacy', shadow: 1 }, 'city-list': { plan: PLAN } },
        ...{ ignore: [RULE, EXPIRED], waive: [WAIVED] },
      },
      { settings: (state) => ({ stateDb: join(state, 'state.db') }) },
    )
    const { text } = await sides.call('/api/invoice/list', { search: 'DEM2025000000134' })
    secret = (JSON.parse(text) as { readonly data: readonly { readonly company: string }[] }).data[0]?.company ?? ''
    for (let page = 1; page <= 4; page++) await sides.call('/api/invoice/list', { page, perPage: 2 })
    await sides.plant('legacy', { path: '/api/currency', kind: 'change', at: '[].code', to: 'a-planted-value' })
    await sides.call('/api/currency')
    await sides.call('/api/consignment/document', GOOD_BODIES['/api/consignment/document']?.[0] ?? {})
    await sides.call('/country/all')
    await sides.compared(8)
    await callLegacy(sides.adminUrl, {
      ...{ method: 'POST', path: '/evidence/reset' },
      headers: { host: new URL(sides.adminUrl).host, 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'country-list', why: 'the names were corrected', by: 'Ada' }),
    })
    const plans = async () => (await fetch(`${sides.adminUrl}/cutover`, BEARER)).text()
    await vi.waitUntil(async () => (await plans()).includes('"percent":25'), { timeout: 10_000 })
    const { exit, errors } = await make('dossier.html', { DOSSIER_KEY: signer.key })
    expect([exit, errors]).toEqual([0, ''])
  }, 60_000)

  it('says in words what is proven of each operation, and what is not', () => {
    const { operations, overall, source, fleet } = dossierIn(at('dossier.json'))
    const wordsOf = (id: string) => operations.find(({ operation }) => operation === id)?.verdict ?? ''
    expect([source, overall.verdict, overall.kept]).toEqual(['gateway', 'not ready', true])
    expect(fleet).toEqual({ engine: 'sqlite', replicas: 1, degradedSince: null })
    expect(readFileSync(at('dossier.html'), 'utf8')).toContain('of 1 replica, kept in SQLite')
    expect(wordsOf('invoice-list')).toMatch(
      /^5 units of 1 client within an hour: with 95 % confidence at most 45.08 % of traffic like this differs; v1 failed 0 %; 0 % could not be judged; .*missing: units 5 of 299/,
    )
    expect(wordsOf('currency-list')).toMatch(/: 1 exchange differed, in 1 class of difference; v1 failed 0 %/)
    expect(wordsOf('document')).toMatch(/^A write\. It is never sent twice/)
    expect(wordsOf('charge-list')).toBe('v1 has no equivalent: only the legacy service can answer it.')
    expect(wordsOf('price')).toBe('None of its calls was seen.')
  })

  it('has lineages, losses, rules with their reasons, assumptions, speeds, resets, and who still calls', () => {
    const { operations, callers, cutover } = dossierIn(at('dossier.json'))
    const of = (id: string) => operations.find(({ operation }) => operation === id)
    expect(of('invoice-list')).toMatchObject({
      ...{ serve: 'legacy', shadow: 1, v1Percent: 0, rules: [RULE], expiredRules: [EXPIRED] },
      report: { lineage: { mapping: expect.stringMatching(/^[0-9a-f]{12}$/) }, durations: { control: {} } },
    })
    expect(of('document')?.losses.map(({ legacy }) => legacy)).toContain('freightPrice')
    expect(of('currency-list')?.report?.assumptions.map(({ standing }) => standing)).toContain('confirmed')
    expect(of('country-list')?.report).toMatchObject({
      begunBy: { by: 'Ada', why: 'the names were corrected' },
      history: [{ requests: 1, endedBy: { by: 'Ada' } }],
    })
    expect(callers?.clients).toMatchObject([
      {
        client: 'demo-client',
        byV1: 0,
        operations: ['auth', 'country-list', 'currency-list', 'document', 'invoice-list'],
      },
    ])
    // A day, not the start of the gateway: usage is kept.
    // It began to count a moment ago, not at the start of the days that are read.
    expect(Date.now() - Date.parse(callers.since)).toBeLessThan(120_000)
    expect(cutover?.filter(({ event }) => event === 'evidence-reset')).toEqual([
      {
        ...{ at: expect.stringMatching(/^\d{4}-/), event: 'evidence-reset', operation: 'country-list', by: 'Ada' },
        ...{ from: expect.any(String), to: 'insufficient data', why: 'the names were corrected' },
      },
    ])
  })

  it('says what a plan has reached, and which lines were waived by whom', () => {
    const { operations } = dossierIn(at('dossier.json'))
    const of = (id: string) => operations.find(({ operation }) => operation === id)
    expect(of('city-list')).toMatchObject({ serve: 'legacy', v1Percent: 25 })
    const { operation: _, line: __, ...by } = WAIVED
    expect(of('invoice-list')?.waived).toEqual([{ part: 'language', legacy: 'en', ...by }])
    expect(of('invoice-list')?.verdict).toContain('; 1 other line was waived')
    const page = readFileSync(at('dossier.html'), 'utf8')
    expect(page).toContain('legacy; v1 for 25 % of clients')
    for (const { why } of [EXPIRED, WAIVED]) expect(page).toContain(why)
  })

  it('shows no match rate and no bound where only errors were compared', () => {
    const dossier = dossierIn(at('dossier.json'))
    const operations = dossier.operations.map(({ report, ...operation }) => {
      const errors = { matched: (report?.totals.matched ?? 0) + (report?.totals.ignored ?? 0), mismatched: 0 }
      const totals = report && { ...report.totals, mismatched: 0 }
      return { ...operation, report: report && { ...report, totals, errors, empty: 0, matchRate: 0, lowerBound: 0 } }
    })
    const page = dossierHtml({ ...dossier, operations } as Dossier, { name: 'd.json', text: '', key: undefined })
    expect(page).toMatch(/<dt>Match rate<\/dt><dd>–<\/dd>/)
    expect(page).toContain('target 99 %, at least –')
    expect(page).not.toContain('without rules and losses')
  })

  it('says if the results of other gateways could not be read, and since when they are missing', () => {
    const dossier = { ...dossierIn(at('dossier.json')), asOf: '2027-03-04T12:00:00.000Z' }
    const page = dossierHtml(dossier, { name: 'd.json', text: '', key: undefined })
    expect(page).toMatch(/Not current\..*could not be read\. What they found since .*2027-03-04 12:00/)
    expect(readFileSync(at('dossier.html'), 'utf8')).not.toContain('Not current')
  })

  it('is also one page, which loads nothing, runs nothing and shows the hash of the signed file', () => {
    const page = readFileSync(at('dossier.html'), 'utf8')
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|javascript:/i)
    expect(page).toContain('rates move between two reads')
    expect(page).toContain('<td class="text">the names were corrected</td>')
    const [hash = ''] = execFileSync('sha256sum', [at('dossier.json')], { encoding: 'utf8' }).split(' ')
    expect(page).toContain(hash)
    expect(page).not.toContain('Not signed')
  })

  it('holds no value of a body and no secret', () => {
    expect(secret.length).toBeGreaterThan(5)
    const pem = readFileSync(signer.key, 'utf8').split('\n')[1] ?? ''
    for (const file of ['dossier.html', 'dossier.json']) {
      const text = readFileSync(at(file), 'utf8')
      const payload = file.endsWith('json') ? Buffer.from(JSON.parse(text).payload, 'base64url').toString() : ''
      for (const hidden of [secret, 'a-planted-value', 'DEM2025', 'demo-secret', sides.token, TOKEN, pem]) {
        expect(text + payload).not.toContain(hidden)
      }
    }
  })

  it('is verified with the public key, with the private one, and by any program that knows JWS', async () => {
    const { output, exit } = await verify(at('dossier.json'), signer.pub)
    expect([exit, output]).toEqual([
      0,
      expect.stringMatching(/dossier\.json is unchanged since it was signed with the key [\w-]{43}\.\n/),
    ])
    expect(output).toMatch(/All together: not ready\.\n$/)
    expect((await verify(at('dossier.json'), signer.key)).exit).toBe(0)
    const { payload, protected: header, signature } = JSON.parse(readFileSync(at('dossier.json'), 'utf8'))
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'ES256' })
    // openssl takes an ECDSA signature in DER.
    const raw = Buffer.from(signature, 'base64url')
    writeFileSync(at('signed'), `${header}.${payload}`)
    writeFileSync(at('der'), derOf(raw.subarray(0, 32), raw.subarray(32)))
    const checked = execFileSync('openssl', [
      'dgst',
      '-sha256',
      '-verify',
      signer.pub,
      '-signature',
      at('der'),
      at('signed'),
    ])
    expect(String(checked)).toBe('Verified OK\n')
  })

  it('is refused with any byte flipped, in what people read, the payload, the header, the signature or between', async () => {
    const bytes = readFileSync(at('dossier.json'))
    const text = bytes.toString()
    const places = [
      ...['"not ready"', '"payload"', '"protected"', '"signature"', '"kept"'].map((word) => bytes.indexOf(word) + 1),
      ...[0, 1, 2, bytes.indexOf('"payload": "') + 500, bytes.indexOf('"protected": "') + 16],
      ...[bytes.length - 1, bytes.length - 2, bytes.length - 4, bytes.length - 5, bytes.length - 40],
    ]
    expect(text.endsWith('"\n}\n')).toBe(true)
    for (const [turn, place] of places.entries()) {
      const bit = [1, 32, 128][turn % 3] ?? 1
      const flipped = Buffer.from(bytes)
      flipped[place] = (flipped[place] ?? 0) ^ bit
      writeFileSync(at('flipped.json'), flipped)
      const { exit, errors } = await verify(at('flipped.json'), signer.pub)
      expect([exit, errors], `byte ${place}, bit ${bit}`).toEqual([
        1,
        expect.stringContaining('flipped.json is refused: it'),
      ])
    }
  })

  it('is refused when only the readable part was changed, or appears twice', async () => {
    const text = readFileSync(at('dossier.json'), 'utf8')
    for (const forged of [
      text.replace('"verdict": "not ready"', '"verdict": "ready"'),
      text.replace('{', '{ "dossier": { "overall": { "verdict": "ready" } },'),
    ]) {
      writeFileSync(at('forged.json'), forged)
      const { exit, errors } = await verify(at('forged.json'), signer.pub)
      expect([exit, errors]).toEqual([1, expect.stringContaining('its readable part is not what was signed')])
    }
  })

  it('is refused with another key, and the message says so', async () => {
    const { exit, errors } = await verify(at('dossier.json'), makeKey('other', 'sec1').pub)
    expect([exit, errors]).toEqual([
      1,
      expect.stringMatching(/is refused: it was signed with another key: [\w-]{43}, and not [\w-]{43}/),
    ])
  })

  it('is signed with a key in the older form too', async () => {
    const { key, pub } = makeKey('older', 'sec1')
    expect((await make('older.html', { DOSSIER_KEY: key })).exit).toBe(0)
    expect((await verify(at('older.json'), pub)).exit).toBe(0)
  })

  it('without a key is unsigned, and says so on the page, in the file and on the terminal', async () => {
    const { exit, errors } = await make('plain.html')
    expect([exit, errors]).toEqual([0, 'Not signed: DOSSIER_KEY is not set, so nobody vouches for this dossier.\n'])
    expect(readFileSync(at('plain.html'), 'utf8')).toContain('<strong>Not signed.</strong>')
    expect(JSON.parse(readFileSync(at('plain.json'), 'utf8')).unsigned).toMatch(/DOSSIER_KEY is not set/)
    const refused = await verify(at('plain.json'), signer.pub)
    expect([refused.exit, refused.errors]).toEqual([
      1,
      expect.stringContaining('plain.json is refused: it is not signed'),
    ])
  })

  it('with an unusable key names the variable before it asks anyone, and writes nothing', async () => {
    writeFileSync(at('no-key.pem'), 'no key at all')
    openssl('ecparam', '-name', 'secp384r1', '-genkey', '-noout', '-out', at('p384.pem'))
    openssl('genrsa', '-out', at('rsa.pem'), '2048')
    openssl('ec', '-in', signer.key, '-aes256', '-passout', 'pass:x', '-out', at('encrypted.pem'))
    for (const [file, why] of [
      ['missing.pem', /ENOENT|no such file/],
      ['no-key.pem', /it is not a private key in PEM; make one with: openssl/],
      ['signer.pub.pem', /it is not a private key in PEM/],
      ['p384.pem', /not on the curve P-256/],
      ['rsa.pem', /not on the curve P-256/],
      ['encrypted.pem', /the key is encrypted/],
    ] as const) {
      const { exit, errors } = await make('never.html', { DOSSIER_KEY: at(file) })
      expect([exit, errors]).toEqual([2, expect.stringMatching(why)])
      expect(errors).toMatch(/^DOSSIER_KEY: /)
    }
    expect(existsSync(at('never.html'))).toBe(false)
  })

  it('names the file that verify cannot read, with exit code 2', async () => {
    expect(await verify(at('missing.json'), signer.pub)).toMatchObject({
      exit: 2,
      errors: expect.stringContaining('missing.json: '),
    })
    expect(await verify(at('dossier.json'), at('no.pem'))).toMatchObject({
      exit: 2,
      errors: expect.stringMatching(/^--key: /),
    })
    expect(await verify(at('dossier.json'), at('dossier.json'))).toMatchObject({
      exit: 2,
      errors: expect.stringMatching(/^--key: .*not a public key in PEM/),
    })
    expect((await runCommand(['dossier', 'verify', at('dossier.json')])).exit).toBe(2)
  })

  it('can be made from the state file alone while the gateway uses it', async () => {
    const env = { STATE_DB: join(sides.folder, 'state.db'), ROLLOUT_FILE: sides.rolloutFile, ADMIN_PORT: '0' }
    const { exit, output } = await runCommand(['dossier', '--out', at('stored.html')], env)
    expect([exit, output]).toEqual([0, expect.stringContaining('stored.json')])
    const [stored, asked] = [dossierIn(at('stored.json')), dossierIn(at('dossier.json'))]
    expect(stored.source).toBe('state file')
    // What the gateway has counted is stored within a second, and that was longer ago.
    expect(stored.callers).toEqual(asked.callers)
    expect(stored.overall).toEqual(asked.overall)
    expect(stored.risks).toEqual(asked.risks)
    expect(stored.cutover).toEqual(asked.cutover)
    expect(stored.operations.map(({ v1Percent }) => v1Percent)).toEqual(
      asked.operations.map(({ v1Percent }) => v1Percent),
    )
    for (const [index, { report, verdict, losses, rules }] of stored.operations.entries()) {
      const {
        serve: _,
        shadow: __,
        kept: ___,
        neverCompared: ____,
        ...same
      } = (asked.operations[index]?.report ?? {}) as Record<string, unknown>
      expect([verdict, losses, rules]).toEqual([
        ...[asked.operations[index]?.verdict, asked.operations[index]?.losses, asked.operations[index]?.rules],
      ])
      expect(report ?? {}).toEqual(same)
    }
  })

  it('names lost members on page one, with the clients whose answers had them', () => {
    const { risks } = dossierIn(at('dossier.json'))
    const lost = risks.filter(({ says }) => says.startsWith('v1 has lost members of'))
    expect(
      lost.map(({ says, hits }) => [says.replace(/^.* of ([^:]*): .*$/, '$1'), hits.replace(/ since .*/, '')]),
    ).toEqual([
      ...[
        ['price', 'nobody seen'],
        ['document', 'demo-client'],
        ['package', 'nobody seen'],
      ],
      ...[
        ['import-create', 'nobody seen'],
        ['invoice-list', 'nobody seen'],
      ],
    ])
    expect(lost[1]?.says).toContain('document: answer freightPrice, peakPrice, remoteAreaPrice')
    const page = readFileSync(at('dossier.html'), 'utf8')
    for (const { says } of lost) expect(page).toContain(says)
  })

  it('says what a corrected mapping loses, and that someone has to accept it', async () => {
    const wrong = { '[].rate.buyingRateTry': { from: 'items[].rates.sellingTry' } }
    writeFileSync(at('mapping.json'), JSON.stringify({ operations: { 'currency-list': { response: wrong } } }))
    const env = { STATE_DB: join(sides.folder, 'state.db'), ADMIN_PORT: '0', MAPPING_FILE: at('mapping.json') }
    const { exit, errors } = await runCommand(['dossier', '--out', at('corrected.html')], env)
    expect([exit, errors]).toEqual([0, expect.stringContaining('Not signed')])
    const [shipped, corrected] = [dossierIn(at('dossier.json')), dossierIn(at('corrected.json'))].map(
      ({ operations }) =>
        operations.find(({ operation }) => operation === 'currency-list')?.laws.map(({ says }) => says),
    )
    expect(shipped?.[0]).toMatch(/^holds for 200 made-up values, but for the declared losses: request \(only listed/)
    expect(corrected?.[0]).toMatch(/^not: answer \[\]\.rate\.buyingRateTry: .* comes back/)
    const page = readFileSync(at('corrected.html'), 'utf8')
    expect(page).toContain('Mappings lose what they do not declare: currency-list.')
    expect(page).toContain('not: answer [].rate.buyingRateTry')
    expect(readFileSync(at('dossier.html'), 'utf8')).not.toContain('lose what they do not declare')
  })

  it.each([
    [['--admin', 'nowhere'], /--admin must be an http or https URL/],
    [
      ['--admin', 'http://127.0.0.1:1'],
      /no gateway answers at http:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\): is it running\?/,
    ],
    [[], /no gateway answers at http:\/\/127\.0\.0\.1:1 .*: give its admin port with --admin URL, or set STATE_DB/],
  ])('%j is reported as wrong', async (words, why) => {
    const { exit, errors } = await runCommand(['dossier', '--out', at('never.html'), ...words], { ADMIN_PORT: '1' })
    expect([exit, errors]).toEqual([2, expect.stringMatching(why)])
    expect(existsSync(at('never.html'))).toBe(false)
  })

  it('names an address that is no gateway, and a refused token', async () => {
    const legacy = await make('never.html', {}, '--admin', sides.gateway.url)
    expect([legacy.exit, legacy.errors]).toEqual([2, expect.stringMatching(/does not serve a dossier \(404\)/)])
    const guarded = await startSideBySide({ operations: {} }, { settings: () => ({ adminToken: TOKEN }) })
    const refused = await make('never.html', {}, '--admin', guarded.adminUrl, '--token', 'another-token-than-that')
    expect([refused.exit, refused.errors]).toEqual([2, expect.stringMatching(/refuses the token: set ADMIN_TOKEN/)])
    expect((await make('asked.html', {}, '--admin', guarded.adminUrl)).exit).toBe(0)
    expect(readFileSync(at('asked.html'), 'utf8')).toContain('<strong>Not kept.</strong>')
  })

  it('names a gateway whose dossier is older than the command', async () => {
    const older = JSON.stringify({ version: 1, gateway: '0.1.9' })
    const { url } = await startHttpServer((_, response) => response.end(older))
    const { exit, errors } = await make('never.html', {}, '--admin', url)
    expect([exit, errors]).toEqual([2, expect.stringMatching(/gateway 0\.1\.9.* use the command of that version/)])
  })

  it('names a state file that it cannot read', async () => {
    writeFileSync(at('no.db'), 'no database '.repeat(500))
    const { exit, errors } = await runCommand(['dossier', '--out', at('never.html')], {
      ADMIN_PORT: '0',
      STATE_DB: at('no.db'),
    })
    expect([exit, errors]).toEqual([2, expect.stringMatching(/no\.db cannot be read: file is not a database/)])
  })
})

/** An ECDSA signature as openssl reads it: a sequence of two integers. */
function derOf(r: Uint8Array, s: Uint8Array): Buffer {
  const integer = (bytes: Uint8Array): number[] => {
    const digits = [...bytes].slice([...bytes].findIndex((byte) => byte !== 0))
    const positive = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits
    return [2, positive.length, ...positive]
  }
  const both = [...integer(r), ...integer(s)]
  return Buffer.from([0x30, both.length, ...both])
}

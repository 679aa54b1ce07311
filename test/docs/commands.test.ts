import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { readConfig } from '../../src/app/config.ts'
import { rolloutParser } from '../../src/app/rollout-parser.ts'
import { startGateway } from '../../src/app/start-gateway.ts'
import { readDeviations } from '../../src/sandbox/deviations/deviation-file.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'
import { wordsOf } from '../support/shell-words.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const readme = readFileSync('README.md', 'utf8')
const pages = ['README.md', ...globSync('docs/*.md')].map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const codeOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)
const linesOf = (text: string, begin: string): readonly string[] =>
  codeOf(text, 'sh')
    .flatMap((code) => code.split('\n'))
    .filter((line) => line.startsWith(begin))

const run = async (script: string): Promise<string> => (await promisify(execFile)('bash', ['-c', script])).stdout

/** The commands of the README's session with their shown answers, in order. */
const session = codeOf(readme, 'console')
  .flatMap((block) => block.split(/^\$ /m).slice(1))
  .map((step) => {
    const end = step.indexOf('\n')
    return { command: step.slice(0, end), answer: step.slice(end + 1).trim() }
  })
const MARK = '----- next -----'

const hasCurl = spawnSync('curl', ['--version']).status === 0
const withCurl = hasCurl ? 'with curl' : 'with curl (skipped: it is not installed)'

describe.skipIf(!hasCurl)(withCurl, () => {
  /** A documented script, changed to the free ports of this test. */
  let toFreePorts: (script: string) => string

  beforeAll(async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    closeAtEnd(() => sandbox.close())
    const gateway = await startGateway(
      readConfig({
        ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', DRAIN_MS: '0' },
        ...{ V1_BASE_URL: sandbox.v1Url, LEGACY_BASE_URL: sandbox.legacyUrl ?? '' },
        // As with npm start, where only the sandbox is behind it.
        ...{ SERVE: 'v1', TOKEN_KEY: randomBytes(32).toString('base64') },
      }),
    )
    closeAtEnd(() => gateway.stop())
    const ports = {
      8080: gateway.legacyUrl,
      8081: gateway.adminUrl,
      8082: sandbox.v1Url,
      8083: sandbox.legacyUrl ?? '',
    }
    toFreePorts = (script) =>
      Object.entries(ports).reduce(
        (text, [port, url]) => text.replaceAll(`localhost:${port}`, new URL(url).host),
        script,
      )
  })

  it('the README shows a session whose answers are the real ones', async () => {
    expect(session.length).toBeGreaterThanOrEqual(4)
    const script = session.map(({ command }) => `${command}\necho; echo '${MARK}'`).join('\n')
    const answers = (await run(toFreePorts(script))).split(MARK).map((answer) => answer.trim())
    expect(answers.slice(0, session.length)).toEqual(session.map(({ answer }) => answer))
  })

  it.each(pages.filter(({ file, text }) => file !== 'README.md' && linesOf(text, 'curl ').length > 0))(
    '$file shows calls that are answered with success',
    async ({ text }) => {
      for (const line of linesOf(text, 'curl ')) {
        const script = toFreePorts(
          line.replace('curl -s', 'curl --silent --output /dev/null --write-out "%{http_code}"'),
        )
        expect(await run(script), line).toMatch(/^20[014]$/)
      }
    },
  )

  it('the README finds mismatches, and calls that legacy answered, in the metrics', async () => {
    const side = await startSideBySide({ operations: { '*': { serve: 'legacy', shadow: 1 } } })
    await side.plant('legacy', { path: '/country/all', kind: 'remove', at: '[].flagW40' })
    await side.call('/country/all')
    await side.compared(1)
    const [mismatches = '', ready = '', ofLegacy = ''] = linesOf(readme, 'curl ')
      .filter((line) => line.includes('/metrics'))
      .map((line) => line.replace('localhost:8081', new URL(side.adminUrl).host))
    expect(await run(`${ready.replace('} 1', '} 0')} | grep country-list`)).toContain('{operation="country-list"} 0')
    expect((await run(mismatches)).trim()).toBe(
      'legacy_gateway_comparisons_total{operation="country-list",outcome="mismatched"} 1',
    )
    expect((await run(ofLegacy)).trim().split('\n')).toContain(
      'legacy_gateway_calls_total{operation="country-list",status="200",side="legacy"} 1',
    )
  })
})

describe('the documents', () => {
  it('explain calls with commands that work as written', async () => {
    const commands = pages.flatMap(({ text }) => linesOf(text, 'node src/cli/bin.js explain '))
    expect(commands.length).toBeGreaterThanOrEqual(2)
    for (const command of commands) {
      const { exit, output } = await runCommand(wordsOf(command), { V1_BASE_URL: '', BASE_PATH: '' })
      expect([exit, output], command).toEqual([0, expect.stringContaining('/api/v1/finance/invoices?')])
    }
  })

  /** A member of the whole, however it is laid out. */
  const AT_THE_TOP = /^(?: {0,2}|\{ ?)"operations"/m

  /** Whether a file corrects mappings, and is no rollout file. */
  const isOfMappings = (json: string): boolean => /"(?:response|request)": *\{/.test(json)

  it('show mapping files from which the sandbox can deviate', () => {
    const written = pages.flatMap(({ text }) => codeOf(text, 'json')).filter(isOfMappings)
    expect(written.length).toBeGreaterThanOrEqual(1)
    for (const json of written) expect(() => readDeviations(json), json).not.toThrow()
  })

  it('show rollout files that the gateway accepts', () => {
    const written = pages.flatMap(({ text }) => [
      ...[...text.matchAll(/^echo '(.*)' > rollout\.json$/gm)].map(([, json = '']) => json),
      ...codeOf(text, 'json').filter((json) => AT_THE_TOP.test(json) && !isOfMappings(json)),
    ])
    expect(written.length).toBeGreaterThanOrEqual(5)
    const parse = rolloutParser(operations)
    for (const json of written) expect(() => parse(json), json).not.toThrow()
  })

  it('never make npm download a package to run a command', () => {
    const others = ['SECURITY.md', 'CONTRIBUTING.md', 'mappings/README.md'].map((file) => readFileSync(file, 'utf8'))
    const texts = [...pages.map(({ text }) => text), ...others]
    const fetching = texts.flatMap((text) => text.match(/\bnpx\s.*|\bnpm\s+exec\s+(?!--offline -- ).*/g) ?? [])
    expect(fetching).toEqual([])
  })
})

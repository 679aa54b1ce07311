import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/app/config.ts'
import { type RunningGateway, startGateway } from '../src/app/main.ts'

const readme = readFileSync('README.md', 'utf8')

/** The commands of the README's session with the answers that it shows, in order. */
const session = [...readme.matchAll(/```console\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
  .map((step) => {
    const end = step.indexOf('\n')
    return { command: step.slice(0, end), answer: step.slice(end + 1).trim() }
  })

const hasCurl = spawnSync('curl', ['--version']).status === 0
const MARK = '----- next -----'

describe.skipIf(!hasCurl)('the README (with curl)', () => {
  let gateway: RunningGateway

  beforeAll(async () => {
    const silent = { HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' }
    gateway = await startGateway(readConfig({ ...silent, SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }))
  })
  afterAll(() => gateway?.stop())

  it('shows a session whose answers are the real ones', async () => {
    expect(session.length).toBeGreaterThanOrEqual(4)
    const script = session.map(({ command }) => `${command}\necho; echo '${MARK}'`).join('\n')
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      script.replaceAll('localhost:8080', new URL(gateway.legacyUrl).host),
    ])
    const answers = stdout.split(MARK).map((answer) => answer.trim())
    expect(answers.slice(0, session.length)).toEqual(session.map(({ answer }) => answer))
  })
})

describe('the README', () => {
  it('shows commands of the command line that work as they are written', { timeout: 60_000 }, async () => {
    const commands = [...readme.matchAll(/^node src\/cli\/bin\.js [^#\n]*/gm)].map(([command]) => command.trim())
    expect(commands.length).toBeGreaterThanOrEqual(2)
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('bash', ['-c', command])
      expect(stdout, command).toContain('/api/v1/finance/invoices?')
    }
    const { stdout } = await promisify(execFile)('bash', ['-c', 'node src/cli/bin.js mappings'])
    expect(stdout).toBe(readFileSync('mappings/README.md', 'utf8'))
  })

  it('has npm fetch nothing where a command is run, there or in what is generated', () => {
    const texts = [
      readme,
      ...['SECURITY.md', 'CONTRIBUTING.md', 'mappings/README.md'].map((file) => readFileSync(file, 'utf8')),
    ]
    const fetching = texts.flatMap((text) => text.match(/\bnpx .*|\bnpm exec (?!--offline -- ).*/g) ?? [])
    expect(fetching).toEqual([])
  })

  it('lists the variables that there are, with their defaults', () => {
    const config = readFileSync('src/app/config/variables.ts', 'utf8')
    const variables = [...config.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)
    const documented = [...readme.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
    )
    expect(documented.sort()).toEqual(variables.sort())
  })
})

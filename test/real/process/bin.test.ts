import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { closeAtEnd } from '../../support/clean-up.ts'

const BIN = resolve(packageJson.bin['legacy-gateway'])
const versionOf = (node: string): number =>
  Number.parseInt(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.slice(1) ?? '', 10)

/** One that cannot run the command line itself, where this machine has such a one. */
const oldNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => versionOf(node) < 24)

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bin-')))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs the file that `bin` names to its end, from a folder elsewhere. */
function run(node: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(node, [BIN, ...words], { encoding: 'utf8', cwd: newFolder() })
  return { exit: status, output: stdout, errors: stderr }
}

describe('the bin script', { timeout: 60_000 }, () => {
  it('can be run by npm from the checkout, without the network', () => {
    const env = { ...process.env, npm_config_cache: newFolder(), npm_config_registry: 'http://127.0.0.1:1/' }
    const options = { encoding: 'utf8', env } as const
    const { status, stdout } = spawnSync('npm', ['exec', '--offline', '--', 'legacy-gateway', '--version'], options)
    expect([status, stdout]).toEqual([0, `${packageJson.version}\n`])
    const elsewhere = { ...options, cwd: newFolder() }
    const outside = spawnSync('npm', ['exec', '--offline', '--', 'legacy-gateway', '--version'], elsewhere)
    expect(outside.status).not.toBe(0)
    expect(outside.stderr).toContain('ENOTCACHED')
  })
})

describe.skipIf(oldNode === undefined)('on an older Node.js (if one is installed)', { timeout: 60_000 }, () => {
  const old = oldNode ?? ''

  it('runs on the Node.js that npm installed, and exits with its code', () => {
    expect(run(old, '--version')).toEqual({ exit: 0, output: `${packageJson.version}\n`, errors: '' })
    expect(run(old, 'explain', 'POST', '/api/invoice/list', '{"a":"it\'s"}').output).toContain('\nNot sent: a\n')
    expect(run(old, 'explain', 'nothing').exit).toBe(2)
    expect(run(old, 'replay').exit).toBe(2)
  })

  it('forwards signals and leaves no process behind', async () => {
    const ports = { PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0', HOST: '127.0.0.1' }
    const child = spawn(old, [BIN, 'serve'], { env: { ...process.env, ...ports } })
    closeAtEnd(() => child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    await expect.poll(() => output).toContain('"msg":"serving"')
    const { legacy } = JSON.parse(output.split('\n').find((line) => line.includes('"msg":"serving"')) ?? '') as {
      readonly legacy: string
    }
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    await expect(fetch(`${legacy}/country/all`)).rejects.toThrow()
  })

  it('says what is missing when npm has installed nothing', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'src/cli'), { recursive: true })
    copyFileSync(BIN, join(folder, 'src/cli/bin.js'))
    copyFileSync('package.json', join(folder, 'package.json'))
    const { status, stderr } = spawnSync(old, [join(folder, 'src/cli/bin.js')], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^legacy-gateway needs Node\.js 24, but this is v\d+\.\d+\.\d+\. To install it, run npm ci in /,
    )
    expect(stderr).toContain(folder)
  })
})

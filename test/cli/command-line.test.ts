import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { runCommand } from '../support/run-command.ts'

describe('the command line', () => {
  it('says its version', async () => {
    expect(await runCommand(['--version'])).toEqual({ exit: 0, output: `${packageJson.version}\n`, errors: '' })
  })

  it('is the file that bin names, from any folder', () => {
    const bin = resolve(packageJson.bin['legacy-gateway'])
    const { status, stdout, stderr } = spawnSync(bin, ['--version'], { encoding: 'utf8', cwd: tmpdir() })
    expect([status, stdout, stderr]).toEqual([0, `${packageJson.version}\n`, ''])
  })

  it.skipIf(!existsSync('/dev/full'))('says in one line that its output cannot be written (/dev/full)', () => {
    const line = ['-c', `"${process.execPath}" src/cli/bin.js mappings >/dev/full`]
    const { status, stderr } = spawnSync('sh', line, { encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, 'Cannot write the output: no space left on device.\n'])
  })

  it.each([
    ['an unknown command', ['srve']],
    ['an unknown option', ['serve', '--port', '80']],
    ['a missing argument', ['explain']],
    ['an invalid value', ['explain', 'GET', '/', '--language', 'de']],
    ['options that exclude each other', ['mappings', '--openapi', '--postman']],
    ['an argument too many', ['webhook', 'now']],
    ['a file of sandbox that is not there', ['sandbox', '--deviate', '/no/such/file']],
    ['a method without a path', ['explain', 'GET']],
    ['a limit out of range', ['cutover', 'audit', '--limit', '1001']],
    ['an option of replay', ['replay', 'file', '--clientid', 'x']],
    ['missing options of replay', ['replay', 'file']],
  ])('exits with 2 and mentions --help after %s', async (_, words) => {
    const ran = await runCommand(words, { V1_BASE_URL: '', LEGACY_BASE_URL: '' })
    expect({ exit: ran.exit, output: ran.output }).toEqual({ exit: 2, output: '' })
    expect(ran.errors).toMatch(/\nAdd --help for usage\.\n$/)
  })

  it('names the variable that someone gives as an option', async () => {
    const { errors } = await runCommand(['serve', '--max-body-bytes=1', '--port', '80'])
    expect(errors).toBe(
      "error: unknown option '--max-body-bytes'; MAX_BODY_BYTES is a variable of the environment\nAdd --help for usage.\n",
    )
  })
})

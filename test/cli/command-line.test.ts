import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }

/** Runs the command line to its end. */
function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('node', ['src/cli/bin.js', ...words], { encoding: 'utf8' })
  return { exit: status, output: stdout, errors: stderr }
}

describe('the command line', { timeout: 30_000 }, () => {
  it('says its version', () => {
    expect(run('--version')).toEqual({ exit: 0, output: `${packageJson.version}\n`, errors: '' })
  })

  it.each([
    ['a command that there is not', ['srve'], 1],
    ['an option that there is not', ['serve', '--port', '80'], 1],
    ['an argument that is missing', ['explain'], 1],
    ['a value that is none of those', ['explain', 'GET', '/', '--language', 'de'], 1],
    ['an option of replay', ['replay', 'file', '--clientid', 'x'], 2],
    ['options of replay that are missing', ['replay', 'file'], 2],
  ])('mentions --help after %s', (_, words, exit) => {
    const ran = run(...words)
    expect({ exit: ran.exit, output: ran.output }).toEqual({ exit, output: '' })
    expect(ran.errors).toMatch(/\nAdd --help to see how it is used\.\n$/)
  })
})

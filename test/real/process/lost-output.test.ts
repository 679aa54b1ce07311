import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { uncoloured } from '../../support/run-command.ts'
import { DEMO, fileOf, INVOICES, line, newDirectory, startServices, UNSET } from '../../support/run-replay.ts'
import { mountSmall } from '../../support/small-disk.ts'

/** Runs the command line in a shell that redirects its streams, and returns its exit code and what stderr got. */
function run(words: readonly string[], redirected: string): Promise<readonly [exit: number | null, errors: string]> {
  const line = `"${process.execPath}" src/cli/bin.js "$@" ${redirected}`
  const child = spawn('bash', ['-o', 'pipefail', '-c', line, '-', ...words], { env: { ...uncoloured, ...UNSET } })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  return new Promise((resolve) => child.once('close', (exit) => resolve([exit, errors])))
}

const IS_FULL = 'Cannot write the output: no space left on device.\n'
const CALL = ['explain', 'POST', INVOICES.split(' ')[1] ?? '']
const small = mountSmall()

describe.skipIf(!existsSync('/dev/full'))('a command whose output cannot be written (/dev/full)', () => {
  it.each([
    ['explain', CALL],
    ['explain --json', [...CALL, '--json']],
    ['mappings', ['mappings']],
    ['rollout check', ['rollout', 'check', fileOf('{}')]],
    ['--help', ['--help']],
  ])('says so in one line and exits with 2: %s', async (_, words) => {
    expect(await run(words, '>/dev/full')).toEqual([2, IS_FULL])
  })

  it('says so after its work: replay writes its reports', async () => {
    const { legacyUrl, v1Url } = await startServices()
    const report = newDirectory()
    const recording = fileOf(line(INVOICES, { page: 1, perPage: 5 }))
    const words = ['replay', recording, '--legacy', legacyUrl, '--v1', v1Url, '--report', report, ...DEMO]
    const [exit, errors] = await run(words, '>/dev/full')
    expect([exit, errors.split('\n').slice(2).join('\n')]).toEqual([2, IS_FULL])
    expect(existsSync(join(report, 'report.html'))).toBe(true)
  })

  it('works as always if only its errors cannot be written', async () => {
    expect(await run(CALL, '2>/dev/full')).toEqual([0, ''])
    expect(await run(['explain', 'POST', '/api/unknown'], '2>/dev/full')).toEqual([1, ''])
  })
})

describe('the output of a command', () => {
  it.skipIf(small === undefined)(
    'is not cut off silently where only a part fits (a tmpfs, which only root can mount)',
    async () => {
      const file = join(small?.folder ?? '', 'output')
      expect(await run(['mappings'], `>${file}`)).toEqual([2, IS_FULL])
      expect(statSync(file).size).toBe(65_536)
      small?.enlarge()
      expect(await run(['mappings'], `>${file}`)).toEqual([0, ''])
      expect(statSync(file).size).toBe(spawnSync(process.execPath, ['src/cli/bin.js', 'mappings']).stdout.length)
    },
  )

  it('may be read by a program that stops reading', async () => {
    expect(await run(['mappings'], '| head -1 >/dev/null')).toEqual([0, ''])
  })
})

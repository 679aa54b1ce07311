import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { planted } from '../../demo/planted.ts'
import { undocumented, undocumentedDifferences } from '../../demo/undocumented.ts'
import { closeAtEnd } from '../../support/clean-up.ts'

it('the demonstration finds exactly the planted differences, settles undocumented ones by the lines that are proposed, prints all verdicts and writes a dossier', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  closeAtEnd(() => rmSync(folder, { recursive: true }))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/demo/run.ts', '--seconds', '4', '--out', folder],
    {
      env: { ...process.env, NO_COLOR: '1' },
    },
  )
  expect(stdout).toContain(`Exactly the ${planted.length} planted differences were found.`)
  expect(stdout).toContain(`The proposed lines settled the ${undocumentedDifferences.length} others.`)
  const [before = '', proposed = '', tried = '', after = ''] = stdout.split(
    /What the gateway proposes there:|The same lines in later comparisons:|wrote this mapping file/,
  )
  for (const { operation, legacy } of undocumented) {
    const [, evidence = ''] = proposed.split(`  ${operation} ${legacy}: `)
    expect(evidence).toMatch(/^.+\n +certain: equal in \d+/)
    expect(tried).toMatch(new RegExp(`${operation}: In trial since .+ match and none differs; .+ no new difference`))
    expect(after).toContain(`"${legacy}"`)
  }
  expect(after).toMatch(/\d of the 3 operations are ready now/)
  for (const { operation, kind, path } of undocumentedDifferences) {
    expect(before).toMatch(new RegExp(`^${operation} +\\d+ +0 % .* not ready`, 'm'))
    expect(before).toContain(`${kind} at ${path} `)
    expect(after).toMatch(new RegExp(`^${operation} +\\d+ +100 % `, 'm'))
  }
  const target =
    'Target: 97 %. "ready" means that, with 95 % confidence, at least so many calls match: it takes 99 units'
  // Above each table of verdicts.
  expect(stdout.split(target)).toHaveLength(3)
  for (const { operation, kind, path } of planted) {
    expect(stdout).toMatch(new RegExp(`${operation} .* not ready`))
    expect(stdout).toContain(`${kind} at ${path || 'the root'} `)
  }
  for (const { id } of operations.filter(({ effect }) => effect === 'write')) {
    expect(after).toMatch(new RegExp(`^${id} +\\d+ +100 % .* ready; against a copy`, 'm'))
  }
  expect(stdout).toContain(`Dossier: ${join(folder, 'dossier.html')}`)
  expect(stdout).toContain('dossier.json is unchanged since it was signed with the key')
  // Off a terminal, the services have stopped by now.
  expect(stdout).not.toMatch(/https?:\/\/(127\.|localhost)/)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'
import { facesOf, startService } from '../support/service-process.ts'

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'deviate-'))
  closeAtEnd(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'deviations.json')
  writeFileSync(file, text)
  return file
}

const noPorts = { HOST: '127.0.0.1', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }

it('sandbox --deviate FILE deviates as the file says, and names it', async () => {
  const lines = { '[].phoneCode': { from: 'items[].callingCode' } }
  const file = fileWith(JSON.stringify({ operations: { 'country-list': { response: lines } } }))
  const sandbox = startService('sandbox', {}, ['--deviate', file])
  const { v1, legacy } = await facesOf(sandbox)
  const answer = await fetch(`${v1}/api/v1/public/shared/countries?code=DE`)
  const { items } = (await answer.json()) as { readonly items: readonly object[] }
  expect(items).toEqual([expect.objectContaining({ code: 'DE', callingCode: '+49' })])
  expect(items[0]).not.toHaveProperty('phoneCode')
  expect(await (await fetch(`${legacy}/country/all?code=DE`)).json()).toEqual([
    expect.objectContaining({ phoneCode: '+49' }),
  ])
  expect(sandbox.output()).toContain(`MAPPING_FILE=${file}`)
})

it('a file with mistakes stops the start, with all of them', async () => {
  const lines = { '[].a': { from: 'b' }, '[].c': {} }
  const file = fileWith(JSON.stringify({ operations: { 'city-list': { response: lines } } }))
  expect(await runCommand(['sandbox', '--deviate', file], noPorts)).toEqual({
    exit: 2,
    output: '',
    errors: [
      `--deviate ${file}:`,
      'operations.city-list.response.[].a.from: must be a path of v1, as items[].name; b is none',
      'operations.city-list.response.[].c: must have exactly one of from, join, always, lost, drop',
      'Add --help for usage.\n',
    ].join('\n'),
  })
})

it('a file that cannot be read stops the start', async () => {
  const { exit, errors } = await runCommand(['sandbox', '--deviate', '/no/such/file'], noPorts)
  expect([exit, errors]).toEqual([
    2,
    '--deviate: cannot read /no/such/file: no such file or directory\nAdd --help for usage.\n',
  ])
})

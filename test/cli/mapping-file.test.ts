import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { COUNTRIES, fileOf, line, replayOver, startServices, UNSET } from '../support/run-replay.ts'

/** Legacy's countries have a flag that v1 does not. */
const corrections = { response: { '[].phoneCode': { lost: 'v1 does not know it' } } }
const mappingFile = fileOf(JSON.stringify({ operations: { 'country-list': corrections } }))
const wrong = fileOf('{"operations":{"country-list":{"response":{"[].phoneCode":{}}},"country-lits":{}}}')

const run = (words: readonly string[], MAPPING_FILE: string) => runCommand(words, { ...UNSET, MAPPING_FILE })

describe('commands with a MAPPING_FILE', { timeout: 60_000 }, () => {
  it('replay compares by the corrected mappings', async () => {
    const services = await startServices()
    const recorded = line(`${COUNTRIES}?code=de`)
    const { json } = await replayOver(services, recorded, [], { MAPPING_FILE: mappingFile })
    expect(json().operations[0]).toMatchObject({
      totals: { matched: 0, ignored: 1, mismatched: 0 },
      differences: [{ path: '[].phoneCode', ignored: 'loss: v1 does not know it' }],
    })
    expect((await replayOver(services, recorded, [])).json().operations[0]).toMatchObject({ totals: { matched: 1 } })
  })

  it.each([[['explain', 'country-list', '--all']], [['mappings']], [['mappings', '--openapi']]])(
    '%s shows them',
    async (words) => {
      expect((await run(words, mappingFile)).output).toContain('v1 does not know it')
      expect((await run(words, '')).output).not.toContain('v1 does not know it')
    },
  )

  it('rollout check knows their lines', async () => {
    const corrected = fileOf('{"operations":{"country-list":{"response":{"[].made":{"from":"items[].made"}}}}}')
    const waive = [{ operation: 'country-list', line: 'answer [].made', why: 'never sent', by: 'a team' }]
    const rollout = fileOf(JSON.stringify({ waive }))
    expect((await run(['rollout', 'check', rollout], corrected)).exit).toBe(0)
    expect((await run(['rollout', 'check', rollout], '')).exit).toBe(1)
  })

  it.each([
    [['replay', mappingFile, '--legacy', 'http://127.0.0.1:1', '--v1', 'http://127.0.0.1:2'], 2],
    [['probe', '--legacy', 'http://127.0.0.1:1', '--v1', 'http://127.0.0.1:2'], 2],
    [['explain', 'country-list'], 1],
    [['distil', mappingFile, '--out', 'never-made'], 2],
    [['mappings'], 1],
  ] as const)('%j lists the mistakes of the file, and does nothing', async (words, code) => {
    const { exit, errors } = await run(words, wrong)
    expect(exit).toBe(code)
    expect(errors.trimEnd().split('\n')).toEqual([
      'The configuration cannot be used:',
      expect.stringMatching(/^ {2}MAPPING_FILE: operations\.country-list\.response\.\[\]\.phoneCode: must have one of/),
    ])
  })

  it('name the file if it cannot be read', async () => {
    const { errors } = await run(['mappings'], '/no/such/file')
    expect(errors).toContain('MAPPING_FILE: /no/such/file cannot be read: no such file or directory')
  })
})

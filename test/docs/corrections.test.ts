import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { mappingSchema } from '../../src/app/file-schemas.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import { correct } from '../../src/mapping/corrections/correct.ts'
import { parseCorrections } from '../../src/mapping/corrections/parse-corrections.ts'
import type { Operation } from '../../src/mapping/operation.ts'
import { answered } from '../mapping/corrections/support.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'

const page = readFileSync('docs/corrections.md', 'utf8')
const codeOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)
const [file = ''] = codeOf('json')
const corrected = correct(operations, parseCorrections(file))
const cities = corrected.find(({ id }) => id === 'city-list') as Operation

const mappings = (command: 'check' | 'source') => {
  const folder = mkdtempSync(join(tmpdir(), 'mapping-file-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'mapping.json')
  writeFileSync(path, file)
  return runCommand(['mappings', command, path])
}

describe('docs/corrections.md', () => {
  it('shows one file, which its JSON Schema passes', () => {
    expect(codeOf('json')).toHaveLength(1)
    const schema = mappingSchema(operations.map(({ id }) => id))
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)
    expect([validate(JSON.parse(file)), validate.errors]).toEqual([true, null])
  })

  it('shows what it makes of a row and of a call', () => {
    const [, v1 = '', legacy = ''] = /With it, v1's `(.*?)` becomes legacy's\s`(.*?)`/.exec(page) ?? []
    const meta = '"meta":{"page":1,"perPage":1,"total":1,"pageCount":1}'
    const answer = answered(cities, `{"items":[${v1}],${meta}}`)
    expect(JSON.parse(answer)).toEqual([JSON.parse(legacy)])
    // The number has its digits, which no parsed JSON shows.
    expect(answer).toContain('"area":"5.50"')
    const [compiled] = compileOperations(corrected).filter(({ mapping }) => mapping === cities)
    const { call } = compiled?.translateRequest({ query: 'cityName=Bolu', body: Buffer.from('') }) ?? {}
    expect(page).toContain(`\`?cityName=Bolu\` is sent as \`?${call?.query}\``)
  })

  it('shows what mappings check and mappings source print', async () => {
    const checked = await mappings('check')
    expect(codeOf('text')).toEqual([checked.output])
    expect(codeOf('ts')).toEqual([(await mappings('source')).output])
  })
})

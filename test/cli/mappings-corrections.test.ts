import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { type Ran, runCommand } from '../support/run-command.ts'

function mappings(command: 'check' | 'source', file: unknown): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), 'mapping-file-'))
  closeAtEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'mapping.json')
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
  return runCommand(['mappings', command, path])
}

const FILE = {
  operations: {
    'city-list': {
      ...{ why: 'differences of the first week', by: 'platform team' },
      response: {
        '[].plate': { from: 'items[].plateCode' },
        '[].state': { from: 'items[].status', enum: { open: 'ACTIVE' }, absent: 'null' },
        '[].title': { join: ['items[].name', ' (', 'items[].id', ')'] },
        '[].kind': { always: 'city' },
        '[].population': { lost: 'v1 does not know it' },
        '[].code': { drop: true },
      },
      request: { cityName: { to: 'nameExact' }, countryId: { drop: true } },
    },
    document: { response: { 'senderAddress.city': { from: 'data.senderAddress.town' } } },
    'invoice-list': {
      response: { 'data[].currency.code': { from: 'items[].currency' } },
      request: { page: { to: 'pageNo' } },
    },
  },
}

/** The lines of a table, each without the spaces between its columns. */
const linesOf = ({ output }: Ran): readonly string[] =>
  output.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))

describe('legacy-gateway mappings check', () => {
  it('says what each line changes, and what it replaces', async () => {
    const ran = await mappings('check', FILE)
    expect([ran.exit, ran.errors]).toEqual([0, ''])
    const lines = linesOf(ran)
    expect(lines).toContain('city-list: 8 lines: differences of the first week (platform team)')
    expect(lines).toContain('document: 1 line')
    expect(lines).toContain('legacy | v1 | instead of')
    expect(lines).toContain('[].plate | items[].plateCode | no line of the mapping')
    expect(lines).toContain(
      '[].state | items[].status; open is v1’s ACTIVE; any other value passes unchanged; null where v1 has none | no line of the mapping',
    )
    expect(lines).toContain('[].title | items[].name + " (" + items[].id + ")" | no line of the mapping')
    expect(lines).toContain('[].kind | always "city" | no line of the mapping')
    expect(lines).toContain('[].population | null: v1 does not know it | no line of the mapping')
    expect(lines).toContain('[].code | not answered | no line of the mapping')
    expect(lines).toContain('request cityName | nameExact | no line of the mapping')
    expect(lines).toContain('request countryId | not sent | countryId: as written')
    expect(lines).toContain('data[].currency.code | items[].currency | items[].currencyCode')
    expect(lines).toContain('request page | pageNo | page: a whole number from 1 to 2147483647')
  })

  it('says so if the file corrects nothing', async () => {
    expect(await mappings('check', '{}')).toEqual({ exit: 0, output: 'The file corrects nothing.\n', errors: '' })
  })

  it('exits with 1 and lists every mistake', async () => {
    const { exit, output, errors } = await mappings('check', {
      operations: { cities: {}, 'city-list': { response: { plate: { lost: 'a' }, '[].a': { from: 'meta.x' } } } },
    })
    expect([exit, output]).toEqual([1, ''])
    expect(errors.trim().split('\n')).toHaveLength(3)
    expect(errors).toContain('operations.cities: no such operation')
    expect(errors).toContain('operations.city-list.response.plate: names no member of the answer')
    expect(errors).toContain('operations.city-list.response.[].a: from: meta.x is about the whole answer')
  })

  it('exits with 1 for a file that is no JSON, and 2 if there is none', async () => {
    expect(await mappings('check', '{,')).toMatchObject({
      exit: 1,
      errors: 'not JSON: line 1, column 2: unexpected ","\n',
    })
    expect(await runCommand(['mappings', 'check', '/nowhere/mapping.json'])).toMatchObject({
      exit: 2,
      errors: '/nowhere/mapping.json cannot be read: no such file or directory\n',
    })
  })
})

describe('legacy-gateway mappings source', () => {
  it('prints the lines of each file of the mappings', async () => {
    const { exit, output, errors } = await mappings('source', FILE)
    expect([exit, errors]).toEqual([0, ''])
    const why = "'differences of the first week'"
    expect(output).toBe(
      [
        '// mappings/shapes/document.ts, shape "Party of a document shipment": document, answer senderAddress',
        '// The same shape is used by document, recipientAddress: give this one a shape of its own, unless it is to change too.',
        "city: from('town'),",
        '',
        '// mappings/invoice-list.ts, request: invoice-list, request',
        "page: query(integer(1, 2147483647), 'pageNo'),",
        "// stitched: paging: { page: 'pageNo', perPage: 'perPage', mostPerPage: 200 }",
        '',
        '// mappings/shapes/invoice.ts, shape "Invoice list item": invoice-list, answer data[]',
        "'currency.code': from('currency', 'string'),",
        '',
        '// mappings/city-list.ts, request: city-list, request',
        '// remove: countryId',
        `cityName: assumed(${why}, query(text, 'nameExact')),`,
        '',
        '// mappings/city-list.ts, shape "City": city-list, answer []',
        `plate: assumed(${why}, from('plateCode')),`,
        `state: assumed(${why}, ifAbsent('null', enumOf({ open: 'ACTIVE' }, 'status'))),`,
        `title: assumed(${why}, joined([{ path: 'name' }, { text: ' (' }, { path: 'id' }, { text: ')' }])),`,
        `kind: assumed(${why}, constant('city')),`,
        `population: assumed(${why}, lost('v1 does not know it')),`,
        '// v1Only:',
        "code: 'differences of the first week (platform team)',",
        '',
      ].join('\n'),
    )
  })

  it('exits with 1 and lists every mistake', async () => {
    const { exit, output, errors } = await mappings('source', { operations: { cities: {} } })
    expect([exit, output]).toEqual([1, ''])
    expect(errors).toContain('operations.cities: no such operation')
  })
})

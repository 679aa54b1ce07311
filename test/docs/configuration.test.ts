import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { variables } from '../../src/app/variables.ts'
import { variableRows } from '../support/variable-tables.ts'

const rows = variableRows(readFileSync('docs/configuration.md', 'utf8'))
const defaults: Readonly<Record<string, unknown>> = variables.parse({})
/** Lower-case names come from other programs, and are mentioned in the row of the upper-case ones. */
const names = Object.keys(variables.shape).filter((name) => name === name.toUpperCase())

describe('docs/configuration.md', () => {
  it('lists every variable once, and no other', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  it('states the default of each', () => {
    const isFixed = (written: string): boolean =>
      !['none', 'random', 'fitted', 'depends'].includes(written) && !names.includes(written)
    const stated = rows.map(({ name, default: written }) => [name, isFixed(written) ? written : []])
    const real = rows.map(({ name, default: written }) => [
      name,
      isFixed(written) ? String(defaults[name]) : (defaults[name] ?? []),
    ])
    expect(stated).toEqual(real)
  })
})

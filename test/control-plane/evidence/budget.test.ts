import { describe, expect, it } from 'vitest'
import { Budget, TooCostly } from '../../../src/control-plane/evidence/diff/budget.ts'
import { observe } from './support/observing.ts'

describe('a comparison', () => {
  it('that takes too long is not judged, and says so', () => {
    const nested = (value: number) => `${'[1,'.repeat(490)}${value}${']'.repeat(490)}`
    const rows = (value: number) => `[${Array(400).fill(nested(value)).join()}]`
    const sides = { control: rows(1), candidate: rows(2) }
    expect(observe({ ...sides, budgetMs: 50, line: 7 })).toMatchObject({
      ...{ outcome: 'skipped', reason: 'too costly', isUnjudged: true, differences: [], line: 7 },
    })
  })

  it('that finds more than 2,000 kinds of difference is not judged', () => {
    const members = (value: number) => Object.fromEntries(Array.from({ length: 2_001 }, (_, at) => [`m${at}`, value]))
    expect(observe({ control: members(1), candidate: members(2) })).toMatchObject({ reason: 'too costly' })
    const { m0: _, ...fewer } = members(1)
    expect(observe({ control: fewer, candidate: { ...members(2), m0: undefined } }).outcome).toBe('mismatched')
  })

  it('that ends in time is judged', () => {
    expect(observe({ control: { a: 1 }, candidate: { a: 1 }, budgetMs: 250 }).outcome).toBe('matched')
  })
})

it('a budget ends when its time is used up, and not before', () => {
  let now = 0
  const budget = new Budget(250, () => now)
  const spend = () => {
    for (let step = 0; step < 5_000; step++) budget.step()
  }
  now = 250
  spend()
  now = 251
  expect(spend).toThrow(TooCostly)
})

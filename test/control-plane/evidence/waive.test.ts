import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { rolloutParser } from '../../../src/app/rollout-parser.ts'
import { demandsOf } from '../../../src/control-plane/rollout/operation-rollout.ts'
import { RolloutError } from '../../../src/control-plane/rollout/rollout.ts'

const parseFile = rolloutParser(operations)
const parse = (waive: unknown) => parseFile(JSON.stringify({ waive }))
const why = { why: 'no client does', by: 'ada@example.com' }

function problemsOf(...waive: readonly object[]): string {
  try {
    parse(waive)
  } catch (error) {
    if (error instanceof RolloutError) return error.message
    throw error
  }
  return ''
}

describe('a line of the mapping', () => {
  it('is waived for its operation, or for all', () => {
    const rollout = parse([
      { operation: 'invoice-list', line: 'request statusId', ...why },
      { operation: '*', line: 'language en', ...why },
    ])
    const lines = (id: string) => demandsOf(rollout, id, () => 0).waive?.map(({ line }) => line)
    expect(lines('invoice-list')).toEqual(['request statusId', 'language en'])
    expect(lines('country-list')).toEqual(['language en'])
  })

  it.each([
    [
      { operation: 'invoice-list', line: 'request statusID' },
      'waive.0.line: "request statusID" is not a line to be seen of invoice-list; similar lines: "request statusId", ',
    ],
    [
      { operation: 'invoice-list', line: 'currency.code' },
      'waive.0.line: "currency.code" is not a line to be seen of invoice-list; similar lines: "answer data[].currency.code", ',
    ],
    [
      { operation: '*', line: 'language de' },
      'is not a line to be seen of any operation; similar lines: "language tr", "language en", ',
    ],
    // Lost, so it need not be seen.
    [{ operation: 'price', line: 'request packages[].id' }, 'is not a line to be seen of price; similar lines: "'],
    [{ operation: 'charge-list', line: 'request page' }, 'is not a line to be seen of charge-list: it has none'],
    [{ operation: 'invoices', line: 'request page' }, 'waive.0.operation: no such operation; expected one of auth, '],
  ])('that does not exist is refused in words: %j', (rule, problem) => {
    expect(problemsOf({ ...rule, ...why })).toContain(problem)
  })

  it('is not waived without a reason and a name', () => {
    const rule = { operation: 'invoice-list', line: 'request statusId' }
    expect(problemsOf({ ...rule, why: 'x' })).toContain('waive.0.by')
    expect(problemsOf({ ...rule, why: ' ', by: 'x' })).toContain('waive.0.why')
    expect(problemsOf({ ...rule, ...why, until: 'x' })).toContain('waive.0: ')
  })
})

import { expect, it } from 'vitest'
import type { IgnoreRule } from '../../../src/control-plane/evidence/expected/ignore-rule.ts'
import { openWatched, rows } from '../../workers/support/watched-comparing.ts'

it('a thread that runs out of memory is replaced: its exchange is not judged, all others are', async () => {
  const { compare, lost } = openWatched(() => [], { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 })
  const many = `[${Array(650_000).fill('{}').join()}]`
  const [greedy, waiting] = await Promise.all([compare(many, many), compare(rows(1), rows(2))])
  expect(greedy).toMatchObject({ outcome: 'skipped', reason: 'too costly', isUnjudged: true })
  expect(waiting).toMatchObject({ outcome: 'mismatched' })
  expect(lost).toEqual([expect.stringMatching(/memory/)])
  expect(await compare(rows(1), rows(1))).toMatchObject({ outcome: 'matched' })
})

it('rules that have changed hold in a thread that replaces another, too', async () => {
  const rule = { operation: 'invoice-list', path: 'data[].priceTry', why: 'prices move' }
  let rules: readonly IgnoreRule[] = []
  const { compare } = openWatched(() => rules, { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 })
  expect(await compare(rows(1), rows(2))).toMatchObject({ outcome: 'mismatched', shown: { values: [{}] } })
  rules = [rule]
  const ignored = { outcome: 'ignored', shown: { values: [] } }
  expect(await compare(rows(1), rows(2))).toMatchObject(ignored)
  const many = `[${Array(650_000).fill('{}').join()}]`
  expect(await compare(many, many)).toMatchObject({ reason: 'too costly' })
  expect(await compare(rows(1), rows(2))).toMatchObject(ignored)
  rules = []
  expect(await compare(rows(1), rows(2))).toMatchObject({ outcome: 'mismatched' })
})

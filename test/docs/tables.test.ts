import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const namesIn = (file: string, pattern: RegExp): readonly string[] => [
  ...new Set([...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name = '']) => name)),
]

it('docs/operations.md says for every alert what to do', () => {
  const names = namesIn('src/observe/monitoring/alerts.yml', /alert: (\w+)/g)
  expect(names.length).toBeGreaterThan(5)
  expect([...namesIn('docs/operations.md', /`(LegacyGateway\w+|ReadyLost)`/g)].sort()).toEqual([...names].sort())
})

it('docs/benchmarks.md says for every benchmark what it compares', () => {
  const names = namesIn('test/bench/run.ts', /^ {2}'?([a-z][a-z-]*?)'?(?:: |,$)/gim)
  expect(names.length).toBeGreaterThan(10)
  expect([...namesIn('docs/benchmarks.md', /^\| `([a-z-]+)` \|/gm)].sort()).toEqual([...names].sort())
})

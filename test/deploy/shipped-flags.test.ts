import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHIPPED_FLAGS } from '../bench/processes.ts'
import { IMAGE_FLAGS } from '../support/container.ts'

test('npm start and the image run Node.js with the flags that the benchmarks measure', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect(/^exec node (.*) src\/cli\/bin\.js serve$/.exec(scripts.start ?? '')?.[1]).toBe(SHIPPED_FLAGS.join(' '))
  expect(IMAGE_FLAGS).toEqual(SHIPPED_FLAGS)
})

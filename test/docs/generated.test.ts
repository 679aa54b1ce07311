import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { generated } from './generated.ts'

test.each(Object.entries(generated))('%s is the output of npm run docs', (file, make) => {
  expect(readFileSync(file, 'utf8') === make(), `${file} is out of date; renew it: npm run docs`).toBe(true)
})

test('npm run check finds a stale page', () => {
  expect(packageJson.scripts.check).toContain('test/docs/generated.test.ts')
})

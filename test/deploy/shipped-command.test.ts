import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IMAGE_COMMAND } from '../support/container.ts'

test('npm start and the image run the same, without flags of Node.js', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect(scripts.start).toBe('exec node src/cli/bin.js serve')
  expect(IMAGE_COMMAND).toEqual(['node', 'src/cli/bin.js', 'serve', '--require-token-key'])
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { planted } from './planted.ts'

it('the demonstration finds exactly the differences that are planted, and prints the verdicts', {
  timeout: 60_000,
}, async () => {
  const { stdout } = await promisify(execFile)('node', ['test/demo/run.ts', '--seconds', '4'])
  expect(stdout).toContain(`Exactly the ${planted.length} planted differences were found.`)
  for (const { operation, kind, path } of planted) {
    expect(stdout).toMatch(new RegExp(`${operation} .* not ready`))
    expect(stdout).toContain(`${kind} at ${path || 'the root'} `)
  }
  expect(stdout).toMatch(/Dashboard: http:\/\/127\.0\.0\.1:\d+\/side-by-side/)
})

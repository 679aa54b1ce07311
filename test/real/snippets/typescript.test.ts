import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { SnippetRequest } from '../../../src/guide/snippets/snippets-of.ts'
import { writeSnippets } from '../../guide/snippets/snippet-programs.ts'
import { explaining } from '../../support/explainer.ts'
import { GOOD_BODIES } from '../../support/good-bodies.ts'

const ROOT = join(import.meta.dirname, '../../..')

const login: SnippetRequest = {
  method: 'POST',
  url: 'https://v1.example/api/v1/auth/application',
  headers: { Authorization: 'Bearer a-token-by-mistake', 'Accept-Language': 'tr', 'Content-Type': 'application/json' },
  body: '{"clientId":"<CLIENT_ID>","secretKey":"<CLIENT_SECRET>","price":100.00}',
}

it('snippets in TypeScript are strict', async () => {
  const explained = explaining({ v1: 'https://v1.example' })
  const requests = Object.entries(GOOD_BODIES).flatMap(([path, bodies]) =>
    bodies.flatMap((body) => explained({ path, body: JSON.stringify(body) }).requests),
  )
  const lists = explained({ method: 'GET', path: '/country/all?search=T%C3%BCrkiye' }).requests
  const all = [...requests, ...lists].map((request) => ({ ...request, body: request.body ?? undefined }))
  const files = await writeSnippets('TypeScript', [login, ...all])
  expect(files.length).toBeGreaterThan(10)
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck', ...types]
  const cwd = dirname(files[0] ?? '')
  const compiled = promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...files], { cwd })
  await expect(compiled).resolves.toMatchObject({ stdout: '' })
})

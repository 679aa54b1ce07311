import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SNIPPET_LANGUAGES } from '../../../src/exchange/guide-form.ts'
import { type SnippetRequest, snippetsOf } from '../../../src/guide/snippets/snippets-of.ts'

const ROOT = join(import.meta.dirname, '../../..')

const post: SnippetRequest = {
  method: 'POST',
  url: 'https://v1.example/api/v1/auth/application',
  headers: { Authorization: 'Bearer a-token-by-mistake', 'Accept-Language': 'tr', 'Content-Type': 'application/json' },
  body: '{"clientId":"<CLIENT_ID>","secretKey":"<CLIENT_SECRET>","price":100.00}',
}

/** Counts the modules of the library that are loaded with this module, and after the first snippet. */
const COUNT_LOADED = `
  import { registerHooks } from 'node:module'
  let loaded = 0
  registerHooks({
    load(url, context, next) {
      if (url.includes('/snippetz/')) loaded++
      return next(url, context)
    },
  })
  const { snippetsOf } = await import(${JSON.stringify(join(ROOT, 'src/guide/snippets/snippets-of.ts'))})
  const before = loaded
  snippetsOf({ method: 'GET', url: 'https://v1.example', headers: {}, body: undefined })
  console.log(JSON.stringify({ before, after: loaded }))`

const codes = (request: SnippetRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(snippetsOf(request).map(({ language, code }) => [language, code]))

describe('snippets', () => {
  it('are one in each language, with the library that sends', () => {
    expect(snippetsOf(post).map(({ language }) => language)).toEqual(SNIPPET_LANGUAGES)
    expect(snippetsOf(post).map(({ library }) => library)).toEqual([
      'curl',
      'fetch',
      'Guzzle',
      'requests',
      'HttpClient',
    ])
  })

  it('read the token and the credentials from the environment, and hold none', () => {
    const { curl, TypeScript, PHP, Python, Java } = codes(post)
    for (const name of ['V1_TOKEN', 'CLIENT_ID', 'CLIENT_SECRET']) {
      expect(curl).toContain(`"$${name}"`)
      expect(TypeScript).toContain(`process.env.${name}`)
      expect(PHP).toContain(`getenv('${name}')`)
      expect(Python).toContain(`os.environ["${name}"]`)
      expect(Java).toContain(`System.getenv("${name}")`)
    }
    for (const code of Object.values(codes(post))) expect(code).not.toMatch(/by-mistake|<[A-Z_]+>|mark\d/)
  })

  it('show no token where the request has none', () => {
    const { Authorization: _, ...headers } = post.headers
    for (const code of Object.values(codes({ ...post, headers }))) expect(code).not.toMatch(/V1_TOKEN|Authorization/)
  })

  it('keep what looks like a mark of theirs', () => {
    const body = '{"mark0":"mark0begin mark1 mark1apartmark1"}'
    for (const code of Object.values(codes({ ...post, body }))) {
      expect(code).toContain('mark0begin mark1 mark1apartmark1')
    }
  })

  it('need an absolute URL', () => {
    expect(() => snippetsOf({ ...post, url: '/api/v1' })).toThrow(TypeError)
  })

  it('load what writes them at first use, so that no start waits for it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', COUNT_LOADED])
    expect(JSON.parse(stdout)).toEqual({ before: 0, after: expect.toSatisfy((count) => count > 0) })
  })
})

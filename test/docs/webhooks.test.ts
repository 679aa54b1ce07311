import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EVENTS } from '../../src/control-plane/cutover/audit.ts'
import { signatureOf } from '../../src/control-plane/cutover/webhook/send-message.ts'

const page = readFileSync('docs/brake.md', 'utf8')
const section = page.slice(page.indexOf('\n## Webhooks\n'))
/** The first example in a language. */
const example = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(section)?.[1] ?? ''

const [SECRET, OTHER] = ['sixteen-letters-', 'another-secret--']
const BODY = JSON.stringify({ id: 'a-1', text: 'çok güzel, 5 %' })
const HEADER = signatureOf(Buffer.from(BODY), SECRET)
const folder = mkdtempSync(join(tmpdir(), 'webhooks-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'body.json'), BODY)

/** The headers to check, each with the receiver's secret, and whether it is the right one. */
const CHECKED = [
  [HEADER, SECRET, true],
  [HEADER, OTHER, false],
  [HEADER.replace(/.$/, (last) => (last === '0' ? '1' : '0')), SECRET, false],
  ['', SECRET, false],
  ['sha256=ü', SECRET, false],
] as const
writeFileSync(join(folder, 'checked.json'), JSON.stringify(CHECKED))

interface Language {
  readonly language: string
  readonly command: readonly [string, ...string[]]
  /** Calls the example's function with the body of the file, and each header and secret; prints a line of what each call returns. */
  readonly call: string
}
const languages: readonly Language[] = [
  {
    language: 'js',
    command: [process.execPath, '--input-type=module'],
    call: `
      import { readFileSync } from 'node:fs'
      for (const [header, secret] of JSON.parse(readFileSync('checked.json'))) {
        console.log(isGenuine(readFileSync('body.json'), header || undefined, secret))
      }`,
  },
  {
    language: 'php',
    command: ['php'],
    call: `
foreach (json_decode(file_get_contents('checked.json')) as [$header, $secret]) {
    echo isGenuine(file_get_contents('body.json'), $header, $secret) ? "true\n" : "false\n";
}`,
  },
  {
    language: 'python',
    command: ['python3', '-'],
    call: `
import json
for header, secret, _ in json.load(open('checked.json', encoding='utf-8')):
    print('true' if is_genuine(open('body.json', 'rb').read(), header, secret) else 'false')`,
  },
]

const isInstalled = ([program]: Language['command']): boolean => spawnSync(program, ['--version']).status === 0

describe('docs/brake.md, how to verify a signature', () => {
  it('with openssl', () => {
    const script = example('sh')
    const ran = spawnSync('sh', ['-c', script], {
      ...{ cwd: folder, encoding: 'utf8', env: { ...process.env, WEBHOOK_SECRET: SECRET } },
    })
    expect([ran.stderr, ran.stdout]).toEqual(['', `${HEADER}\n`])
  })

  for (const { language, command, call } of languages) {
    it.skipIf(!isInstalled(command))(`in ${language} takes the right one alone`, () => {
      expect(example(language)).toMatch(/hmac/i)
      const [program, ...words] = command
      const opening = language === 'php' ? '<?php\n' : ''
      const input = `${opening}${example(language)}${call}\n`
      const { stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', input })
      expect(stderr).toBe('')
      expect(stdout.trim().split('\n')).toEqual(CHECKED.map(([, , isRight]) => String(isRight)))
    })
  }
})

it('the events of the page are events, and its body is JSON', () => {
  const [, table = ''] = section.split('| `event` | When |')
  const named = [...(table.split('\n\n')[0] ?? '').matchAll(/`([a-z-]+)`(?=.*\|.*\|)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(7)
  expect(named.filter((name) => !EVENTS.some((event) => event === name) && name !== 'ready')).toEqual([])
  expect(Object.keys(JSON.parse(example('json')) as object)).toEqual([
    ...['id', 'event', 'operation', 'from', 'to', 'why', 'text', 'at'],
  ])
})

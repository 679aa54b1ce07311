import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import en from '../../mappings/messages/en.json' with { type: 'json' }
import tr from '../../mappings/messages/tr.json' with { type: 'json' }
import packageJson from '../../package.json' with { type: 'json' }
import { describeReference } from '../../src/guide/describe/describe-reference.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { openapiDocument } from '../support/openapi-document.ts'

interface Ran {
  readonly exit: number | null
  readonly output: string
  readonly errors: string
}

/** Runs `legacy-gateway mappings` to its end; `isEnough` says when no more of its output is read. */
function mappings(
  parameters: readonly string[],
  env: Record<string, string> = {},
  isEnough: (output: string) => boolean = () => false,
): Promise<Ran> {
  const child = spawn('node', ['src/cli/bin.js', 'mappings', ...parameters], {
    env: { ...process.env, BASE_PATH: '', ...env },
  })
  closeAtEnd(() => child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (isEnough(output)) child.stdout.destroy()
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  return new Promise((resolve) => child.once('close', (exit) => resolve({ exit, output, errors })))
}

describe('legacy-gateway mappings', { timeout: 30_000 }, () => {
  it('prints the reference as Markdown, and nothing else', async () => {
    const { exit, output, errors } = await mappings([])
    expect({ exit, errors }).toEqual({ exit: 0, errors: '' })
    expect(output).toMatch(/^# From legacy to v1\n/)
    expect(output).toBe(describeReference(operations, { en, tr }))
  })

  it('prints the legacy interface as OpenAPI where it is asked to, with the address that is configured', async () => {
    const { exit, output } = await mappings(['--openapi'], { HOST: '', PORT: '8888', BASE_PATH: '/old' })
    expect(exit).toBe(0)
    const { info, servers, paths } = openapiDocument(JSON.parse(output))
    expect(info.version).toBe(packageJson.version)
    expect(servers.map(({ url }) => url)).toEqual(['http://localhost:8888/old', '{origin}/old'])
    expect(Object.keys(paths)).toContain('/api/invoice/list')
  })

  it('says nothing when whoever reads it has enough', async () => {
    const { exit, errors } = await mappings([], {}, (output) => output !== '')
    expect({ exit, errors }).toEqual({ exit: 0, errors: '' })
  })

  it('names a variable that is wrong, and exits 1', async () => {
    const { exit, output, errors } = await mappings(['--openapi'], { BASE_PATH: 'old/' })
    expect({ exit, output }).toEqual({ exit: 1, output: '' })
    expect(errors).toContain('BASE_PATH must')
  })
})

import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import en from '../../mappings/messages/en.json' with { type: 'json' }
import tr from '../../mappings/messages/tr.json' with { type: 'json' }
import packageJson from '../../package.json' with { type: 'json' }
import { describeReference } from '../../src/guide/reference/describe-reference.ts'
import { described } from '../guide/describe-v1/described.ts'
import { exported } from '../guide/postman/exported.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { openapiDocument } from '../support/openapi-document.ts'
import { type Ran, runCommand } from '../support/run-command.ts'

/** Runs `legacy-gateway mappings` to its end. */
const mappings = (words: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runCommand(['mappings', ...words], { BASE_PATH: '', ...env })

describe('legacy-gateway mappings', () => {
  it('prints the reference as Markdown, and nothing else', async () => {
    const { exit, output, errors } = await mappings([])
    expect({ exit, errors }).toEqual({ exit: 0, errors: '' })
    expect(output).toMatch(/^# From legacy to v1\n/)
    expect(output).toBe(describeReference(operations, { en, tr }))
  })

  it('prints the legacy interface as OpenAPI on request, with the configured address', async () => {
    const { exit, output } = await mappings(['--openapi'], { HOST: '', PORT: '8888', BASE_PATH: '/old' })
    expect(exit).toBe(0)
    const { info, servers, paths } = openapiDocument(JSON.parse(output))
    expect(info.version).toBe(packageJson.version)
    expect(servers.map(({ url }) => url)).toEqual(['http://localhost:8888/old', '{origin}/old'])
    expect(Object.keys(paths)).toContain('/api/invoice/list')
  })

  it('prints the v1 calls as a Postman collection on request, at the public address of v1', async () => {
    const env = { V1_BASE_URL: 'http://v1:8080', V1_PUBLIC_URL: 'https://api.example.com/' }
    const { exit, output } = await mappings(['--postman'], env)
    expect(exit).toBe(0)
    expect(JSON.parse(output)).toEqual(exported('https://api.example.com'))
  })

  it('leaves the address of v1 empty in the collection if nobody said it', async () => {
    const { output } = await mappings(['--postman'], { V1_BASE_URL: '', V1_PUBLIC_URL: '' })
    expect(JSON.parse(output)).toEqual(exported())
  })

  it('prints v1 as OpenAPI on request, at the public address of v1', async () => {
    const { exit, output } = await mappings(['--openapi-v1'], {
      V1_BASE_URL: '',
      V1_PUBLIC_URL: 'https://api.example.com',
    })
    expect(exit).toBe(0)
    expect(JSON.parse(output)).toEqual(described('https://api.example.com'))
  })

  it('prints one document at a time', async () => {
    const { exit, output, errors } = await mappings(['--postman', '--openapi'])
    expect({ exit, output }).toEqual({ exit: 2, output: '' })
    expect(errors).toContain("option '--postman' cannot be used with option '--openapi'")
  })

  it('ends without a message when its reader closes the pipe', async () => {
    const child = spawn('node', ['src/cli/bin.js', 'mappings'], { env: { ...process.env, BASE_PATH: '' } })
    closeAtEnd(() => child.kill('SIGKILL'))
    child.stdout.once('data', () => child.stdout.destroy())
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const exit = await new Promise((resolve) => child.once('close', resolve))
    expect({ exit, errors }).toEqual({ exit: 0, errors: '' })
  })

  it('names a wrong variable, and exits 1', async () => {
    const { exit, output, errors } = await mappings(['--openapi'], { BASE_PATH: 'old/' })
    expect({ exit, output }).toEqual({ exit: 1, output: '' })
    expect(errors).toContain('BASE_PATH must')
  })
})

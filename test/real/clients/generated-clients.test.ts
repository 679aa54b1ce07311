import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { openapiDocument } from '../../support/openapi-document.ts'
import { startGateway } from '../../support/start-gateway.ts'

const PROGRAMS = ['with-openapi-fetch', 'with-hey-api']
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: ['node'], module: 'nodenext' },
    ...{ strict: true, skipLibCheck: true, rootDir: '.', outDir: 'out' },
  },
  include: ['.'],
}

let folder: string
let legacyUrl: string

/** Runs one of the project's tools, or Node, in the folder. When it fails, the error has its output. */
async function run(command: string, ...parameters: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder, CI: 'true' }
  const { stdout } = await promisify(execFile)(command, parameters, { cwd: folder, env }).catch((error) => {
    throw new Error(`${command} ${parameters.join(' ')}\n${error.stdout}\n${error.stderr}`)
  })
  return stdout
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-clients-'))
  closeAtEnd(() => rm(folder, { recursive: true }))
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const gateway = await startGateway(sandbox.v1Url, { legacyUrl: sandbox.legacyUrl ?? '' })
  const described = await (await fetch(`${await gateway.openAdmin()}/openapi.json`)).text()
  legacyUrl = openapiDocument(JSON.parse(described)).servers[0]?.url ?? ''

  await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await writeFile(join(folder, 'openapi.json'), described)
  for (const name of PROGRAMS) {
    await copyFile(join(import.meta.dirname, 'typescript', `${name}.ts`), join(folder, `${name}.ts`))
  }
  await Promise.all([
    run('openapi-typescript', 'openapi.json', '--output', 'schema.ts'),
    run('openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch', '-s', '--no-log-file'),
  ])
  await run('tsc', '--project', '.')
}, 60_000)

test.each(PROGRAMS)('a client in strict TypeScript calls every operation: %s', async (name) => {
  const lines = (await run('node', join('out', `${name}.js`), legacyUrl)).trim().split('\n')
  const expected = operations.map(({ id, response }) => `${id} ${response.kind === 'no-content' ? 204 : 200} right`)
  expect(lines.sort()).toEqual(expected.sort())
})

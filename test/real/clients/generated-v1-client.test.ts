import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { described } from '../../guide/describe-v1/described.ts'
import { closeAtEnd } from '../../support/clean-up.ts'

const PROGRAM = 'v1-with-openapi-fetch'
const TSCONFIG = {
  compilerOptions: {
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], types: ['node'], module: 'nodenext' },
    ...{ strict: true, skipLibCheck: true, rootDir: '.', outDir: 'out' },
  },
  include: ['.'],
}

test('a client in strict TypeScript that is generated from the description of v1 compiles, and calls v1', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'generated-v1-client-'))
  closeAtEnd(() => rm(folder, { recursive: true }))
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const run = async (command: string, ...parameters: readonly string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, HOME: folder, CI: 'true' }
    const { stdout } = await promisify(execFile)(command, parameters, { cwd: folder, env }).catch((error) => {
      throw new Error(`${command} ${parameters.join(' ')}\n${error.stdout}\n${error.stderr}`)
    })
    return stdout
  }

  await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await writeFile(join(folder, 'openapi-v1.json'), JSON.stringify(described(sandbox.v1Url)))
  await copyFile(join(import.meta.dirname, 'typescript', `${PROGRAM}.ts`), join(folder, `${PROGRAM}.ts`))
  await run('openapi-typescript', 'openapi-v1.json', '--output', 'schema.ts')
  await run('tsc', '--project', '.')

  expect((await run('node', join('out', `${PROGRAM}.js`), sandbox.v1Url)).trim().split('\n')).toEqual([
    'login 200 Erişim anahtarı oluşturuldu.',
    'invoices 200 2 of number',
    'first number COMPLETED',
    'refused 422 VALIDATION_FAILED perPage',
    'created 201 GCCN-9',
    'completed 200 true',
  ])
}, 120_000)

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Compose } from '../support/container.ts'

type Versions = Readonly<Record<string, string>>

const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Versions
  readonly devDependencies: Versions
  readonly scripts: Versions
  readonly allowScripts: Readonly<Record<string, boolean>>
  readonly overrides: Readonly<Record<string, unknown>>
}
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<
    Record<string, { name?: string; version?: string; integrity?: string; hasInstallScript?: boolean; link?: boolean }>
  >
}
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
const { dependencies, devDependencies } = packageJson

/**
 * A package under another name. The generators of clients that the tests try need the compiler's JavaScript API, which
 * TypeScript 7 does not have: `typescript` is version 6 for them.
 */
const ALIAS = /^npm:(?<real>@?[^@]+)@(?<version>.*)$/

/** What a file imports that is no file of its own; over several lines it ends in `} from '…'`. */
const IMPORT = /^(?:(?:import|export|}).* from|import) '([^'.][^']*)'/gm

describe('the packages', () => {
  test('are asked for in exact versions, which are those of the lock file', () => {
    for (const [name, asked] of Object.entries({ ...dependencies, ...devDependencies })) {
      const { real, version } = ALIAS.exec(asked)?.groups ?? { real: undefined, version: asked }
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
      expect(lock.packages[`node_modules/${name}`], name).toMatchObject({ version })
      expect(lock.packages[`node_modules/${name}`]?.name, name).toBe(real)
    }
  })

  test('have another name only where two versions of the compiler stand side by side: the newest is what tsc runs', () => {
    const aliases = Object.entries({ ...dependencies, ...devDependencies }).filter(([, asked]) => ALIAS.test(asked))
    expect(aliases.map(([name]) => name)).toEqual(['@typescript/native', 'typescript'])
    expect(execFileSync('tsc', ['--version'], { encoding: 'utf8' })).toBe(
      `Version ${lock.packages['node_modules/@typescript/native']?.version}\n`,
    )
  })

  test('are what they were when they were locked: each has a SHA-512', () => {
    expect(packages.length).toBeGreaterThan(100)
    for (const [path, { version, integrity, link }] of packages) {
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/)
      expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/)
      expect(link, path).toBeUndefined()
    }
  })

  test('run no script when they are installed, the runtime for development aside', () => {
    const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)
    expect(withScript).toEqual(['node_modules/node'])
    expect(packageJson.allowScripts).toEqual({ node: true })
    expect(devDependencies).toHaveProperty('node')
    // @scarf/scarf, which the linters bring, does nothing but tell its makers of every installation.
    expect(packageJson.overrides['@scarf/scarf']).toBe('npm:tslib@2.8.1')
    expect(lock.packages['node_modules/@scarf/scarf']?.name).toBe('tslib')
    expect(Object.keys(packageJson.scripts).filter((name) => /install|prepare|^pre|^post/.test(name))).toEqual([])
  })

  test('that the gateway itself loads are its dependencies, and none for development', () => {
    const imported = globSync(['src/**/*.ts', 'mappings/**/*.ts'])
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(IMPORT)])
      .map(([, specifier = '']) => specifier)
      .filter((specifier) => !specifier.startsWith('node:'))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    const names = new Set(imported)
    expect(names.size).toBeGreaterThan(5)
    expect([...names].filter((name) => dependencies[name] === undefined)).toEqual([])
  })
})

test('the image has no packages for development, runs no script of a package, and its process is not root', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toMatch(/^RUN npm ci --omit=dev --ignore-scripts$/m)
  expect([...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['node'])
  expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('CMD ['))
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  expect(ignored).toEqual(['**', '!package.json', '!package-lock.json', '!mappings', '!src'])
})

describe('docker-compose.yml', () => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as Compose

  test.each(['gateway'])('%s runs without rights, on a file system that it cannot write', (name) => {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  })

  test('nothing but the legacy interface is published beyond this machine', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports)
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual(['8080:8080'])
  })

  test('no secret is written in it, and without an ADMIN_TOKEN it does not start', () => {
    expect(services.gateway?.security_opt).toEqual(['no-new-privileges:true'])
    expect(services.gateway?.environment?.ADMIN_TOKEN).toMatch(/^\$\{ADMIN_TOKEN:\?/)
    expect(services.gateway?.environment?.TOKEN_KEY).toMatch(/^\$\{TOKEN_KEY:-\}$/)
  })
})

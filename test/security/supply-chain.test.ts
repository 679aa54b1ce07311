import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMPOSE_TEXT, type Compose, composeIn } from '../support/container.ts'

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

/** The packages that a file imports; an import over several lines ends in `} from '…'`. */
const IMPORT = /^(?:(?:import|export|}).* from|import) '([^'.][^']*)'/gm

describe('the packages', () => {
  test('are required in exact versions, those of the lock file', () => {
    for (const [name, asked] of Object.entries({ ...dependencies, ...devDependencies })) {
      const { real, version } = ALIAS.exec(asked)?.groups ?? { real: undefined, version: asked }
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
      expect(lock.packages[`node_modules/${name}`], name).toMatchObject({ version })
      expect(lock.packages[`node_modules/${name}`]?.name, name).toBe(real)
    }
  })

  test('have an alias only where two versions of the compiler are installed: tsc runs the newest', () => {
    const aliases = Object.entries({ ...dependencies, ...devDependencies }).filter(([, asked]) => ALIAS.test(asked))
    expect(aliases.map(([name]) => name)).toEqual(['@typescript/native', 'typescript'])
    expect(execFileSync('tsc', ['--version'], { encoding: 'utf8' })).toBe(
      `Version ${lock.packages['node_modules/@typescript/native']?.version}\n`,
    )
  })

  test('have the content that was locked: each has a SHA-512', () => {
    expect(packages.length).toBeGreaterThan(100)
    for (const [path, { version, integrity, link }] of packages) {
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/)
      expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/)
      expect(link, path).toBeUndefined()
    }
  })

  test('run no install script, except the runtime for development', () => {
    const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)
    expect(withScript).toEqual(['node_modules/node'])
    expect(packageJson.allowScripts).toEqual({ node: true })
    expect(devDependencies).toHaveProperty('node')
    // @scarf/scarf, a dependency of the linters, only reports every installation to its makers.
    expect(packageJson.overrides['@scarf/scarf']).toBe('npm:tslib@2.8.1')
    expect(lock.packages['node_modules/@scarf/scarf']?.name).toBe('tslib')
    expect(Object.keys(packageJson.scripts).filter((name) => /install|prepare|^pre|^post/.test(name))).toEqual([])
  })

  test('that the gateway itself loads are dependencies, not development dependencies', () => {
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

test('the image has no development packages, runs no install scripts, and its process is not root', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(dockerfile).toMatch(/^RUN npm ci --omit=dev --ignore-scripts$/m)
  expect([...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['node'])
  expect(dockerfile.indexOf('USER node')).toBeLessThan(dockerfile.indexOf('CMD ['))
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  expect(ignored).toEqual(['**', '!package.json', '!package-lock.json', '!mappings', '!src'])
})

describe('docker-compose.yml', () => {
  const { services } = composeIn(COMPOSE_TEXT) as Compose

  test.each(['gateway', 'replica', 'balancer', 'sandbox'])(
    '%s runs without capabilities, on a read-only file system',
    (name) => {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(services[name]?.security_opt).toEqual(['no-new-privileges:true'])
    },
  )

  test('only the legacy interface is published beyond this machine', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports)
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual(['8080:8080', '8090:8080'])
  })

  test('it holds no secret, and does not start without an ADMIN_TOKEN', () => {
    expect(services.gateway?.environment?.ADMIN_TOKEN).toMatch(/^\$\{ADMIN_TOKEN:\?/)
    expect(services.gateway?.environment?.TOKEN_KEY).toMatch(/^\$\{TOKEN_KEY:-\}$/)
  })
})

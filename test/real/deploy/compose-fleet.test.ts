import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../../src/app/config.ts'
import { variables } from '../../../src/app/variables.ts'
import { type ComposeService, composeWhere, imageCommand, writableFolders } from '../../support/container.ts'
import { namesIn } from '../../support/variable-tables.ts'
import { isInstalled } from '../start-program.ts'

const HAPROXY = 'deploy/haproxy/haproxy.cfg'
const haproxy = readFileSync(HAPROXY, 'utf8')
const createRole = readFileSync('deploy/postgres/create-role.sql', 'utf8')
/** Every name that docs/configuration.md explains. */
const documented = namesIn(readFileSync('docs/configuration.md', 'utf8'))

const TOKEN_KEY = Buffer.alloc(32, 7).toString('base64')
const { services, secrets } = composeWhere({ ADMIN_TOKEN: 'sixteen-characters', TOKEN_KEY, STATE_PASSWORD: 'a-secret' })
const serviceOf = (name: string): ComposeService => services[name] ?? expect.unreachable(`there is no service ${name}`)
const [replica, balancer, postgres] = [serviceOf('replica'), serviceOf('balancer'), serviceOf('postgres')]
const settings = replica.environment ?? {}
const namesWith = (profile: string | undefined): readonly string[] =>
  Object.entries(services)
    .filter(([, { profiles = [] }]) => (profile === undefined ? profiles.length === 0 : profiles.includes(profile)))
    .map(([name]) => name)

/** What a line of HAProxy's configuration says after a word, in milliseconds or as a number. */
const saidBy = (line: string, word: string): number => {
  const [, number = '', unit] = new RegExp(`\\b${word} (\\d+)(ms|s)?\\b`).exec(line) ?? []
  return Number(number) * (unit === 's' ? 1_000 : 1)
}
const linesWith = (word: string): readonly string[] =>
  haproxy.split('\n').filter((line) => line.trim().startsWith(word))

describe('docker compose up', () => {
  it('starts what it started before there was a fleet, and demands no variable of the fleet', () => {
    expect(namesWith(undefined)).toEqual(['gateway', 'prometheus', 'grafana'])
    expect(() => composeWhere({ ADMIN_TOKEN: 'sixteen-characters' })).not.toThrow()
    expect(services.gateway).not.toHaveProperty('depends_on')
  })
})

describe('docker compose --profile fleet up', () => {
  it('adds three gateways with one database, behind a balancer', () => {
    expect([...namesWith('fleet')].sort()).toEqual(['balancer', 'postgres', 'replica', 'sandbox'])
    expect(replica.deploy?.replicas).toBe(3)
    expect(replica.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(balancer.depends_on).toEqual({ replica: { condition: 'service_healthy' } })
    // Three containers cannot publish one port.
    expect(replica.ports).toBeUndefined()
  })

  it('gives the gateways variables that docs/configuration.md has, and they start with them', () => {
    expect(Object.keys(settings).filter((name) => !documented.includes(name))).toEqual([])
    expect(readConfig(settings, imageCommand().includes('--require-token-key')).drainMs).toBe(5_000)
  })

  it('lets them call the services that are named, or one sandbox that all of them share', () => {
    expect(settings).toMatchObject({ V1_BASE_URL: 'http://sandbox:8082', LEGACY_BASE_URL: '' })
    expect(services.sandbox?.command?.at(-1)).toBe('sandbox')
    expect(variables.parse({}).SANDBOX_V1_PORT).toBe(8082)
    const named = composeWhere({ ADMIN_TOKEN: 'sixteen-characters', V1_BASE_URL: 'https://v1.test' })
    expect(named.services.replica?.environment).toMatchObject({ V1_BASE_URL: 'https://v1.test', LEGACY_BASE_URL: '' })
  })

  it('keeps secrets out of the file: they come from the environment, and PostgreSQL reads them as files', () => {
    expect(postgres.secrets?.map((name) => secrets[name])).toEqual([
      { environment: 'POSTGRES_PASSWORD' },
      { environment: 'STATE_PASSWORD' },
    ])
    expect(settings.PGPASSWORD).toBe('a-secret')
    expect(() => readConfig({ ...settings, TOKEN_KEY: '' }, true)).toThrow(
      /TOKEN_KEY must be set when STATE_DB is PostgreSQL/,
    )
    expect(new URL(settings.STATE_DB ?? '').password).toBe('')
    // Compose cannot put a secret of the environment into a container whose file system is read-only.
    for (const { read_only, secrets: mounted } of Object.values(services)) {
      if (read_only === true) expect(mounted).toBeUndefined()
    }
  })

  it('leads them to the database and the role that it makes', () => {
    const { hostname, username, pathname } = new URL(settings.STATE_DB ?? '')
    expect(hostname).toBe('postgres')
    expect(pathname).toBe(`/${postgres.environment?.POSTGRES_DB}`)
    expect(createRole).toContain(`CREATE ROLE ${username} LOGIN`)
    expect(postgres.volumes?.[1]).toMatch(/^\.\/deploy\/postgres\/create-role\.sql:\/docker-entrypoint-initdb\.d\//)
  })

  it('lets them write recordings alone, and gives them the time to stop that they need', () => {
    const mounts = (replica.volumes ?? []).map((mount) => mount.split(':'))
    const written = mounts.filter(([, , mode]) => mode !== 'ro').map(([, folder]) => folder)
    expect(written).toEqual(['/recordings'])
    expect(writableFolders()).toContain('/recordings')
    const { drainMs, shutdownGraceMs } = readConfig(settings)
    expect(Number.parseInt(replica.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(
      drainMs + shutdownGraceMs + 1_000,
    )
  })

  it('has Prometheus find them by the name of their service', () => {
    const { scrape_configs } = parse(readFileSync('src/observe/monitoring/prometheus.yml', 'utf8')) as {
      readonly scrape_configs: readonly { readonly dns_sd_configs: readonly object[] }[]
    }
    const [found] = scrape_configs.flatMap(({ dns_sd_configs }) => dns_sd_configs)
    expect(found).toMatchObject({ names: ['replica'], type: 'A', port: readConfig(settings).adminPort })
  })
})

describe('the configuration of HAProxy', () => {
  it.skipIf(!isInstalled('haproxy'))('is accepted by HAProxy (haproxy -c, if installed)', () => {
    // Debian installs it where not every user looks.
    const env = { PATH: `${process.env.PATH}:/usr/sbin` }
    const said = execFileSync('haproxy', ['-c', '-f', HAPROXY], { encoding: 'utf8', env })
    expect(said).toContain('Configuration file is valid')
  })

  it('finds the gateways where they are, all of them', () => {
    const { port, adminPort } = readConfig(settings)
    const templates = linesWith('server-template')
    expect(templates.map((line) => line.trim().split(' ').at(-1))).toEqual([`replica:${port}`, `replica:${adminPort}`])
    for (const line of templates) expect(saidBy(line, 'replica-')).toBeGreaterThanOrEqual(replica.deploy?.replicas ?? 0)
    const inside = (balancer.ports ?? []).map((port) => port.split(':').at(-1))
    expect(linesWith('bind').map((line) => line.split(':').at(-1))).toEqual(inside)
  })

  it('notices within the drain that a gateway stops, and waits for its answers as long as the gateway may take', () => {
    const { drainMs, upstreamTimeoutMs, keepAliveMs } = readConfig(settings)
    for (const line of linesWith('default-server')) {
      expect(saidBy(line, 'inter') * saidBy(line, 'fall')).toBeGreaterThan(0)
      expect(saidBy(line, 'inter') * saidBy(line, 'fall')).toBeLessThan(drainMs)
    }
    expect(linesWith('option httpchk').map((line) => line.trim())).toEqual(Array(2).fill('option httpchk GET /readyz'))
    expect(saidBy(haproxy, 'timeout server')).toBeGreaterThan(2 * upstreamTimeoutMs)
    expect(saidBy(haproxy, 'timeout http-keep-alive')).toBeLessThan(keepAliveMs)
  })

  it('repeats nothing that may have reached a gateway', () => {
    expect(linesWith('retry-on').map((line) => line.trim())).toEqual(['retry-on conn-failure'])
  })
})

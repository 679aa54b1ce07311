import { describe, expect, it } from 'vitest'
import {
  readCommandConfig,
  readDossierConfig,
  readRolloutConfig,
  readSandboxConfig,
} from '../src/app/command-config.ts'
import { ConfigError, readConfig } from '../src/app/config.ts'

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('the configuration', () => {
  it('has the documented defaults when nothing is set', () => {
    expect(readConfig({})).toEqual({
      unread: [],
      host: '0.0.0.0',
      port: 8080,
      basePath: '',
      adminHost: '127.0.0.1',
      adminPort: 8081,
      adminToken: undefined,
      v1BaseUrl: undefined,
      v1PublicUrl: undefined,
      legacyBaseUrl: undefined,
      releaseHeaders: { v1: undefined, legacy: undefined },
      connecting: { v1: undefined, legacy: undefined, proxy: undefined },
      tokenKeys: [],
      serve: 'v1',
      rolloutFile: undefined,
      stateDb: ':memory:',
      postgres: undefined,
      stateCache: undefined,
      replicaId: expect.stringMatching(/^[\w.-]+-[0-9a-f]{8}$/),
      recordFile: undefined,
      webhook: undefined,
      sandboxV1Port: 8082,
      sandboxLegacyPort: 8083,
      sandboxDb: ':memory:',
      upstreamTimeoutMs: 30_000,
      maxBodyBytes: 1_048_576,
      memoryBytes: expect.any(Number),
      referenceTtlMs: 300_000,
      referenceStaleMs: 86_400_000,
      sunset: undefined,
      trustedProxies: undefined,
      keepAliveMs: 75_000,
      corsOrigins: undefined,
      namesAnswerer: false,
      clientGuides: false,
      maxConnections: undefined,
      drainMs: 2_000,
      shutdownGraceMs: 10_000,
      logLevel: 'info',
      logFormat: 'json',
      tracing: undefined,
    })
  })

  const V1 = { V1_BASE_URL: 'http://v1.test' }
  const BOTH = { ...V1, LEGACY_BASE_URL: 'http://old.test' }

  it.each([
    ['legacy', 'a legacy service is configured', BOTH],
    ['legacy', 'that is wanted', { ...BOTH, SERVE: 'legacy' }],
    ['legacy', 'that is wanted, and the sandbox stands in', { SERVE: 'legacy' }],
    ['v1', 'there is no legacy service', V1],
    ['v1', 'there is only the sandbox', {}],
    ['v1', 'that is wanted', { ...BOTH, SERVE: 'v1' }],
    ['legacy', 'SERVE is empty, and a legacy service is configured', { ...BOTH, SERVE: '' }],
  ])('lets %s answer where the rollout file says nothing, if %s', (side, _, env) => {
    expect(readConfig(env).serve).toBe(side)
  })

  it.each(['V1', 'both', 'legacy ', 'true'])('refuses SERVE %j', (SERVE) => {
    expect(problemsOf({ ...BOTH, SERVE })).toEqual(['SERVE must be legacy or v1'])
  })

  it.each([
    [{ LEGACY_BASE_URL: 'http://old.test' }, /^V1_BASE_URL must be set when LEGACY_BASE_URL is: .*sandbox/],
    [{ LEGACY_BASE_URL: 'http://old.test', V1_BASE_URL: '' }, /^V1_BASE_URL must be set when LEGACY_BASE_URL is/],
    [{ ...V1, SERVE: 'legacy' }, /^SERVE is legacy, but no legacy service is configured: set LEGACY_BASE_URL/],
    [{ ...V1, LEGACY_BASE_URL: '', SERVE: 'legacy' }, /^SERVE is legacy, but no legacy service is configured/],
  ])('refuses services that leave a side to nobody or to the sandbox, with the remedy: %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(problem)])
    // Commands that serve nothing are given their services as options, too.
    expect(() => readCommandConfig(env)).not.toThrow()
    expect(() => readRolloutConfig(env)).not.toThrow()
  })

  it.each([
    ['ROLOUT_FILE', 'ROLLOUT_FILE'],
    ['ROLLOUTFILE', 'ROLLOUT_FILE'],
    ['rollout-file', 'ROLLOUT_FILE'],
    ['Rollout_File', 'ROLLOUT_FILE'],
    ['SERV', 'SERVE'],
    ['SREVE', 'SERVE'],
    ['STATEDB', 'STATE_DB'],
    ['TOKENKEY', 'TOKEN_KEY'],
    ['SUNSETS', 'SUNSET'],
    ['OTELEXPORTEROTLPENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['PROT', 'PORT'],
    ['V1_BASE_URI', 'V1_BASE_URL'],
  ])('names %s, which is not read, with the similar %s', (name, similar) => {
    expect(readConfig({ ...BOTH, [name]: 'x' }).unread).toEqual([
      `${name} is no variable of the gateway, and not read; similar: ${similar}`,
    ])
    // With other mistakes too: one of them may be its consequence.
    expect(problemsOf({ [name]: 'x', PORT: 'x' }).join()).toContain(`similar: ${similar}`)
  })

  it.each(['V1_URL', 'LEGACY_URL', 'LEGACY_TIMEOUT'])('names %s with all that begin like it', (name) => {
    const [prefix = ''] = name.split('_')
    expect(readConfig({ ...BOTH, [name]: 'x' }).unread.join()).toContain(`similar: ${prefix}_BASE_URL, ${prefix}_`)
  })

  it('is silent about variables of other programs, also of similar names, and about empty ones', () => {
    const others = [
      ...['HOME', 'PATH', 'PWD', 'USER', 'TERM', 'LANG', 'SHELL', 'HOSTNAME', 'NODE_ENV', 'NODE_OPTIONS', 'TZ', 'CI'],
      ...['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'PGHOST', 'PGPORT', 'LOGNAME', 'NO_COLOR', 'npm_config_cache'],
      ...['LEGACY_SERVICE_HOST', 'LEGACY_SERVICE_PORT', 'LEGACY_PORT_80_TCP', 'LEGACY_PORT', 'KUBERNETES_PORT'],
      ...[
        'LEGACY_GATEWAY_SERVICE_HOST',
        'LEGACY_GATEWAY_PORT_8080_TCP_ADDR',
        'LEGACY_GATEWAY_IMAGE',
        'V1_SERVICE_PORT_HTTP',
      ],
    ]
    expect(readConfig(Object.fromEntries(others.map((name) => [name, 'x']))).unread).toEqual([])
    expect(readConfig({ ROLOUT_FILE: '' }).unread).toEqual([])
  })

  it.each([
    [{ V1_BASEURL: 'http://v1.test' }, 'V1_BASE_URL is not set, but V1_BASEURL is'],
    [{ V1_BASEURL: 'http://v1.test', LEGACY_BASE_URL: 'http://old.test' }, 'V1_BASE_URL is not set, but V1_BASEURL is'],
    [{ ...V1, LEGACY_BASE_ULR: 'http://old.test' }, 'LEGACY_BASE_URL is not set, but LEGACY_BASE_ULR is'],
    [{ ...V1, legacy_base_url: 'http://old.test' }, 'LEGACY_BASE_URL is not set, but legacy_base_url is'],
    [{ ...V1, LEGACY_BASE_ULR: 'http://old.test', LEGACY_BASE_URL: '' }, 'but LEGACY_BASE_ULR is'],
  ])('refuses a mistyped address, with which others would answer than are meant: %j', (env, says) => {
    expect(problemsOf(env)[0]).toContain(says)
  })

  it.each([
    { V2_BASE_URL: 'http://v2.test' },
    { ...BOTH, V1_BASEURL: 'http://v1.test' },
    { HOSTS: 'a', PORTS: '1', POST: '1' },
  ])('only warns of names that change nothing: %j', (env) => {
    expect(readConfig(env).unread).not.toEqual([])
  })

  it('names who answered only if told so', () => {
    expect(['on', 'off', ''].map((text) => readConfig({ ANSWERED_BY: text }).namesAnswerer)).toEqual([
      true,
      false,
      false,
    ])
    expect(problemsOf({ ANSWERED_BY: 'yes' })).toEqual(['ANSWERED_BY must be on or off'])
  })

  it.each(['V1_BASE_URL', 'V1_PUBLIC_URL'])(
    'refuses %s if it has the part that every path of v1 begins with',
    (name) => {
      for (const url of ['https://v1.example.com/api/v1', 'https://v1.example.com/prefix/api/v1/']) {
        expect(problemsOf({ [name]: url })).toEqual([
          `${name} must end before /api/v1, which is part of every path of v1`,
        ])
      }
      expect(problemsOf({ [name]: 'https://v1.example.com/api/v1-mirror' })).toEqual([])
    },
  )

  it.each(['gizli-şifre-çok-uzun', ' sixteen-characters', 'sixteen-characters ', 'sixteen\tcharacters'])(
    'refuses %j as the token of the admin port, because no program can send it in a header',
    (token) => {
      const problems = problemsOf({ ADMIN_TOKEN: token })
      expect(problems).toEqual(['ADMIN_TOKEN must be printable ASCII characters, without blanks at its ends'])
    },
  )

  it('refuses a file that it writes and that another variable names too, however the path is written', () => {
    const files = {
      RECORD_FILE: '/srv/x/../a',
      ROLLOUT_FILE: '/srv/a',
      STATE_DB: 'b',
      SANDBOX_DB: `${process.cwd()}/b`,
    }
    expect(problemsOf(files)).toEqual([
      'RECORD_FILE and ROLLOUT_FILE name the same file: give each a file of its own',
      'STATE_DB and SANDBOX_DB name the same file: give each a file of its own',
    ])
    expect(problemsOf({ STATE_DB: ':memory:', SANDBOX_DB: ':memory:', RECORD_FILE: '/dev/full' })).toEqual([])
  })

  it('lets clients read their guides only if told so', () => {
    expect(['on', 'off', ''].map((text) => readConfig({ CLIENT_GUIDES: text }).clientGuides)).toEqual([
      true,
      false,
      false,
    ])
    expect(problemsOf({ CLIENT_GUIDES: 'true' })).toEqual(['CLIENT_GUIDES must be on or off'])
  })

  it.each(['0', '999', '86400001', '75s'])('refuses %s as the time that idle connections are kept', (text) => {
    expect(problemsOf({ KEEP_ALIVE_MS: text })).toEqual(['KEEP_ALIVE_MS must be a whole number from 1000 to 86400000'])
  })

  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['https://app.example.com', ['https://app.example.com']],
    ['http://localhost:3000, https://[::1]:8443', ['http://localhost:3000', 'https://[::1]:8443']],
  ])('takes %s as the origins of pages', (text, origins) => {
    expect(readConfig({ CORS_ORIGINS: text }).corsOrigins).toEqual(origins)
  })

  it.each([
    ...[
      'https://app.example.com/',
      'https://app.example.com/app',
      'https://app.example.com:443',
      'https://App.example.com',
    ],
    ...[
      'app.example.com',
      '//app.example.com',
      'null',
      'file://',
      'https://*.example.com',
      'https://user@app.example.com',
    ],
    ...[
      '*,https://app.example.com',
      'https://app.example.com,',
      'https://a.example https://b.example',
      'https://şirket.example',
    ],
  ])('refuses %s as the origins of pages, and says what is right', (text) => {
    expect(problemsOf({ CORS_ORIGINS: text })).toEqual([
      expect.stringMatching(
        /^CORS_ORIGINS must be \* alone, or origins separated by commas, .* https:\/\/app\.example\.com/,
      ),
    ])
  })

  it('counts a variable that is set but empty as unset', () => {
    expect(readConfig({ PORT: '', V1_BASE_URL: '', LOG_LEVEL: '' })).toEqual(readConfig({}))
  })

  it('takes the receiver of webhooks, whose path and query may be a secret', () => {
    const env = { WEBHOOK_URL: 'https://chat.example.com/hooks/key?thread=1', WEBHOOK_SECRET: 'sixteen-letters-' }
    expect(readConfig(env).webhook).toEqual({ url: new URL(env.WEBHOOK_URL), secret: env.WEBHOOK_SECRET })
    // A command that sends nothing does not read them.
    expect(readCommandConfig({ WEBHOOK_URL: 'nowhere' })).toBeDefined()
  })

  it.each(['chat.example.com/hooks', 'ftp://chat.example.com/', 'https://me:hush@chat.example.com/', 'https://h/#key'])(
    'refuses %s as the receiver of webhooks, without saying it',
    (url) => {
      expect(problemsOf({ WEBHOOK_URL: url, WEBHOOK_SECRET: 'sixteen-letters-' })).toEqual([
        'WEBHOOK_URL must be an http or https URL without fragment or credentials, for instance https://chat.example.com/hooks/key',
      ])
    },
  )

  it('refuses webhooks that nobody could verify', () => {
    const WEBHOOK_URL = 'https://chat.example.com/hooks/key'
    expect(problemsOf({ WEBHOOK_URL })).toEqual([
      'WEBHOOK_SECRET must be set with WEBHOOK_URL: messages are signed with it; make one with: openssl rand -hex 32',
    ])
    expect(problemsOf({ WEBHOOK_URL, WEBHOOK_SECRET: 'short' })).toEqual([
      'WEBHOOK_SECRET must have at least 16 characters',
    ])
  })

  it('takes the collector of traces, and which of them are recorded', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
    const endpoint = new URL('http://collector:4318')
    expect(readConfig(env).tracing).toEqual({ endpoint, sampler: 'parentbased_always_on', ratio: 1 })
    const some = readConfig({ ...env, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '.25' })
    expect(some.tracing).toEqual({ endpoint, sampler: 'traceidratio', ratio: 0.25 })
    expect(readConfig({ OTEL_TRACES_SAMPLER: 'always_on' }).tracing).toBeUndefined()
    for (const yes of ['true', 'TRUE', 'True'])
      expect(readConfig({ ...env, OTEL_SDK_DISABLED: yes }).tracing).toBeUndefined()
    // OpenTelemetry's rule for booleans: nothing else is true.
    for (const no of ['', 'false', '1', 'yes'])
      expect(readConfig({ ...env, OTEL_SDK_DISABLED: no }).tracing).toBeDefined()
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@collector'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ])('names %s when it is %s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))])
  })

  it('takes several keys, and seals with the first', () => {
    const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 0xff)]
    const { tokenKeys } = readConfig({ TOKEN_KEY: `${first.toString('base64')}, ${second.toString('base64url')}` })
    expect(tokenKeys.map((key) => Buffer.from(key))).toEqual([first, second])
  })

  it.each(['short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), `${'!'.repeat(43)}=`])(
    'refuses a key that is no 32 bytes in base64, and does not show it (%#)',
    (key) => {
      const problems = problemsOf({ TOKEN_KEY: `${Buffer.alloc(32).toString('base64')},${key}` })
      expect(problems).toEqual([expect.stringMatching(/^TOKEN_KEY must be 32 bytes in base64/)])
      expect(problems.join()).not.toContain(key)
    },
  )

  it('names every mistake at once, each with its variable', () => {
    const problems = problemsOf({
      PORT: '80800',
      MAX_BODY_BYTES: '1e6',
      V1_BASE_URL: 'ftp://x',
      LOG_LEVEL: 'loud',
      SUNSET: 'soon',
      BASE_PATH: 'legacy/',
    })
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      'BASE_PATH',
      'LOG_LEVEL',
      'MAX_BODY_BYTES',
      'PORT',
      'SUNSET',
      'V1_BASE_URL',
    ])
    expect(problems).toContain('PORT must be a whole number from 0 to 65535')
  })

  it.each(['http://user:secret@host', 'https://host/?x=1', 'https://host/#x', 'host:80', 'not a url'])(
    'refuses %s as the address of v1, without repeating it',
    (url) => {
      const [problem = ''] = problemsOf({ V1_BASE_URL: url })
      expect(problem).toMatch(/^V1_BASE_URL must be an http or https URL/)
      expect(problem).not.toContain(url)
    },
  )

  it.each([
    ...['foo 12', '2027', 'June 30', '2027-02-30T25:00:00Z'],
    ...['2027-02-30', '2027-02-29', '2027-04-31T12:00:00Z', '2027-06-31T00:30:00+03:00', '2027-13-01'],
  ])('refuses %s as the removal date', (date) => {
    expect(problemsOf({ SUNSET: date })).toEqual([expect.stringMatching(/^SUNSET must be a date/)])
  })

  it('takes an address of v1 with a path prefix', () => {
    expect(readConfig({ V1_BASE_URL: 'https://api.example.com/prefix/' }).v1BaseUrl?.pathname).toBe('/prefix/')
  })

  it('takes addresses and ranges of proxies that are believed', () => {
    const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8,::1' })
    expect(trustedProxies?.check('10.1.2.3')).toBe(true)
    expect(trustedProxies?.check('192.0.2.8')).toBe(false)
    expect(trustedProxies?.check('fd12::1', 'ipv6')).toBe(true)
  })

  it.each([
    ['10.0.0.0/8,proxy.local', 'entry 2 must be an IP address or a CIDR range, for instance 192.0.2.7, 10.0.0.0/8'],
    ['10.0.0.0/8,,10.0.0.1', 'entry 2 must be an IP address'],
    ['10.0.0.1:80', 'entry 1 must be an IP address'],
    ['[::1]', 'entry 1 must be an IP address'],
    ['10.0.0.0/255.0.0.0', 'entry 1 must have a prefix length from 0 to 32'],
    ['10.0.0.0/8/8', 'entry 1 must be an IP address'],
    ['010.0.0.1', 'entry 1 must be an IP address'],
    ['fe80::1%eth0', 'entry 1 must be an IP address'],
    ['10.0.0.0/33', 'entry 1 must have a prefix length from 0 to 32'],
    ['10.0.0.0/', 'entry 1 must have a prefix length from 0 to 32'],
    ['10.0.0.0/-1', 'entry 1 must have a prefix length from 0 to 32'],
    ['::1,fd00::/129', 'entry 2 must have a prefix length from 0 to 128'],
    ['::ffff:10.0.0.0/8', 'entry 1 must have a prefix length from 96 to 128'],
    ['::/64', 'entry 1 covers every IPv4 address'],
    ['fd00::/8,::ffff:0:0/90', 'entry 2 covers every IPv4 address'],
  ])('names the entry of TRUSTED_PROXIES that is none: %s', (value, problem) => {
    expect(problemsOf({ TRUSTED_PROXIES: value })).toEqual([expect.stringMatching(`^TRUSTED_PROXIES ${problem}`)])
  })

  it('names every entry of TRUSTED_PROXIES that is none', () => {
    const problems = problemsOf({ TRUSTED_PROXIES: 'a,10.0.0.1,b/8', PORT: 'x' })
    expect(problems.map((problem) => problem.split(' must')[0]).sort()).toEqual([
      'PORT',
      'TRUSTED_PROXIES entry 1',
      'TRUSTED_PROXIES entry 3',
    ])
  })

  it('wants a token for an admin port that others can reach', () => {
    expect(problemsOf({ ADMIN_HOST: '0.0.0.0' })).toEqual([
      'ADMIN_TOKEN must be set when ADMIN_HOST is not a loopback address',
    ])
    expect(problemsOf({ ADMIN_HOST: '0.0.0.0', ADMIN_TOKEN: 'a-token-that-is-long' })).toEqual([])
    expect(problemsOf({ ADMIN_HOST: '127.0.0.2' })).toEqual([])
  })

  it('never repeats the value of a secret', () => {
    const [problem = ''] = problemsOf({ ADMIN_TOKEN: 'hunter2' })
    expect(problem).toMatch(/^ADMIN_TOKEN /)
    expect(problem).not.toContain('hunter2')
  })

  it.each([
    ['2027-06-30', 'Wed, 30 Jun 2027 00:00:00 GMT'],
    ['2027-06-30T12:00:00Z', 'Wed, 30 Jun 2027 12:00:00 GMT'],
    ['2028-02-29', 'Tue, 29 Feb 2028 00:00:00 GMT'],
    ['2027-07-01T01:00:00+03:00', 'Wed, 30 Jun 2027 22:00:00 GMT'],
  ])('reads %s as the removal date', (text, httpDate) => {
    expect(readConfig({ SUNSET: text }).sunset?.toUTCString()).toBe(httpDate)
  })

  it.each([
    { PORT: '9000', ADMIN_PORT: '9000' },
    { PORT: '8081' },
    { HOST: '127.0.0.1', PORT: '9000', ADMIN_PORT: '9000' },
    { HOST: '::', PORT: '9000', ADMIN_PORT: '9000' },
  ])('names both variables when the two interfaces are to share a port (%j)', (env) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^PORT and ADMIN_PORT are both \d+: give each /)])
  })

  it('takes one port for both where the addresses differ, or the port is any', () => {
    expect(problemsOf({ PORT: '0', ADMIN_PORT: '0' })).toEqual([])
    expect(problemsOf({ HOST: '127.0.0.2', PORT: '9000', ADMIN_PORT: '9000' })).toEqual([])
  })

  it('leaves out of a command what it has no need of, right or wrong', () => {
    const env = { PORT: 'abc', ADMIN_HOST: '0.0.0.0', LOG_LEVEL: 'loud', SUNSET: 'soon', BASE_PATH: '/old' }
    expect(readCommandConfig(env).basePath).toBe('/old')
    expect(() => readCommandConfig({ BASE_PATH: 'old/' })).toThrow('BASE_PATH must')
    expect(readSandboxConfig({ ...env, V1_BASE_URL: 'nowhere', SANDBOX_V1_PORT: '9002' }).sandboxV1Port).toBe(9002)
    expect(() => readSandboxConfig({ SANDBOX_V1_PORT: 'x' })).toThrow('SANDBOX_V1_PORT must')
  })

  it.each([
    ['LEGACY_BASE_URL', 'http://127.0.0.1:8080', {}],
    ['LEGACY_BASE_URL', 'http://localhost:9000/prefix', { PORT: '9000' }],
    ['V1_BASE_URL', 'http://[::1]:8080', { HOST: '::' }],
    ['V1_BASE_URL', 'http://192.0.2.1', { HOST: '192.0.2.1', PORT: '80' }],
    ['V1_BASE_URL', 'https://localhost', { PORT: '443', TLS_CERT: '/tls.pem' }],
  ])('refuses %s %s, which is the gateway itself', (name, url, more) => {
    expect(() => readConfig({ ...more, [name]: url })).toThrow(`${name} is the gateway's own address (HOST, PORT)`)
  })

  it.each([
    ['LEGACY_BASE_URL', 'http://127.0.0.1:8079', { V1_BASE_URL: 'http://v1.test' }],
    ['LEGACY_BASE_URL', 'http://old.example:8080', { V1_BASE_URL: 'http://v1.test' }],
    ['V1_BASE_URL', 'https://localhost:8080', {}],
    ['V1_BASE_URL', 'http://127.0.0.1:8080', { HOST: '192.0.2.1' }],
  ])('takes %s %s, which may be another', (name, url, more) => {
    expect(() => readConfig({ ...more, [name]: url })).not.toThrow()
  })

  const KEY = Buffer.alloc(32, 1).toString('base64')
  const POSTGRES = 'postgres://ann:canary@db:6000/gateway?sslmode=disable'

  it('takes a PostgreSQL database, and shows it without user and password', () => {
    const config = readConfig({ STATE_DB: POSTGRES, TOKEN_KEY: KEY, STATE_SCHEMA: 'mine', PGAPPNAME: 'replica' })
    expect(config.stateDb).toBe('postgres://db:6000/gateway')
    expect(config.postgres).toMatchObject({
      ...{
        hosts: [{ host: 'db', port: 6000 }],
        user: 'ann',
        password: 'canary',
        schema: 'mine',
        applicationName: 'replica',
      },
    })
  })

  it('wants the same TOKEN_KEY at each replica that shares a database', () => {
    expect(problemsOf({ STATE_DB: POSTGRES })).toEqual([
      expect.stringMatching(
        /^TOKEN_KEY must be set when STATE_DB is PostgreSQL, .* make one with: openssl rand -base64 32$/,
      ),
    ])
    expect(readDossierConfig({ STATE_DB: 'postgres://db/gateway', PGUSER: 'ann' }).postgres?.user).toBe('ann')
  })

  it('names every mistake of a PostgreSQL database together with the others, and repeats no secret', () => {
    const env = { STATE_DB: 'postgres://ann:canary@db/g?sslmode=x&nope=1', PGOPTIONS: '-c canary', PORT: 'x' }
    const problems = problemsOf(env)
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
      ...['PGOPTIONS', 'PORT', 'STATE_DB:', 'STATE_DB:', 'TOKEN_KEY'],
    ])
    expect(problems.join()).not.toContain('canary')
  })

  it.each([
    ...['postgress://ann:canary@db/gateway', 'mysql://ann:canary@db/gateway', 'https://canary'],
    ...[
      ' postgres://ann:canary@db/gateway',
      '"postgres://ann:canary@db/gateway"',
      "'postgres://ann:canary@db/gateway'",
    ],
    ...['jdbc:postgresql://db/gateway?password=canary', 'postgres//ann:canary@db/gateway', 'ann:canary@db/gateway'],
    ...['host=db user=ann password=canary', 'password = canary', 'state.db\n'],
  ])('refuses %j as the state: it would be taken for a path, and shown', (url) => {
    const problems = problemsOf({ STATE_DB: url })
    expect(problems).toEqual([expect.stringMatching(/^STATE_DB must be a file, :memory: or the URL of a PostgreSQL/)])
    expect(problems.join()).not.toContain('canary')
  })

  it.each(['state.db', './a b/state.db', '/srv//state.db', 'C:\\state.db', 'file:/srv/state.db', 'me@home.db'])(
    'takes %j as the file of the state',
    (file) => {
      expect(readConfig({ STATE_DB: file }).stateDb).toBe(file)
    },
  )

  it.each(['Legacy', '1st', 'a-b', 'a'.repeat(64), 'a"b', 'pg_mine'])('refuses %s as a schema', (schema) => {
    expect(problemsOf({ STATE_SCHEMA: schema })).toEqual([
      expect.stringMatching(/^STATE_SCHEMA must be 1 to 63 characters of/),
    ])
  })

  it('takes the name of the replica, and makes one for the process otherwise', () => {
    expect(readConfig({ REPLICA_ID: 'gateway-0.eu_1' }).replicaId).toBe('gateway-0.eu_1')
    expect(readConfig({}).replicaId).toBe(readConfig({}).replicaId)
    for (const id of ['a b', 'a/b', 'x'.repeat(129)]) {
      expect(problemsOf({ REPLICA_ID: id })).toEqual([expect.stringMatching(/^REPLICA_ID must be 1 to 128 letters/)])
    }
  })
})

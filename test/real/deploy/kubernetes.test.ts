import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { readConfig } from '../../../src/app/config.ts'
import { rolloutParser } from '../../../src/app/rollout-parser.ts'
import { variables } from '../../../src/app/variables.ts'
import { correctedOperations } from '../../../src/mapping/corrections/corrected-operations.ts'
import { parseCorrections } from '../../../src/mapping/corrections/parse-corrections.ts'
import { imageCommand } from '../../support/container.ts'
import {
  KUBERNETES,
  kustomization,
  MANIFEST_TEXTS,
  type Manifest,
  manifestOf,
  manifests,
  manifestsIn,
  mistakesIn,
  SETTINGS,
} from '../../support/kubernetes.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { servingAt, startService } from '../../support/service-process.ts'
import { namesIn } from '../../support/variable-tables.ts'
import { isInstalled } from '../start-program.ts'

const ADMIN_TOKEN = 'sixteen-characters'
/** Every name that docs/configuration.md explains. */
const documented = namesIn(readFileSync('docs/configuration.md', 'utf8'))

const { spec: deployment } = manifestOf('Deployment')
const { metadata: podMetadata, spec: pod } = deployment.template
const [container] = pod.containers
const secret = manifestOf('Secret')
const monitor = manifestOf('ServiceMonitor')
const [endpoint] = monitor.spec.endpoints
const services = manifests.filter(({ kind }) => kind === 'Service')

/** The variables of the pods, with the secrets that all of them need. */
const environment: Readonly<Record<string, string>> = {
  ...SETTINGS,
  ...{ TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'), ADMIN_TOKEN },
}

const isWithin = (part: object, whole: object): boolean => {
  const entries = new Map<string, unknown>(Object.entries(whole))
  return Object.entries(part).every(([name, value]) => entries.get(name) === value)
}

describe('the manifests for Kubernetes', () => {
  it.each(Object.entries(MANIFEST_TEXTS))(
    '%s follows the published schema, and has no member that it does not know',
    (_, text) => {
      const found = manifestsIn(text)
      expect(found.length).toBeGreaterThan(0)
      expect(found.flatMap(mistakesIn)).toEqual([])
    },
  )

  it.each([
    [
      'deployment.yaml',
      'readOnlyRootFilesystem:',
      'readOnlyRootFileSystem:',
      '/securityContext/readOnlyRootFileSystem is not known',
    ],
    ['deployment.yaml', 'periodSeconds: 1\n', 'periodSecond: 1\n', '/startupProbe/periodSecond is not known'],
    ['deployment.yaml', 'minReadySeconds: 5', 'minReadySeconds: five', '/spec/minReadySeconds must be integer'],
    ['services.yaml', '    - name: admin', '    - names: admin', '/spec/ports/0/names is not known'],
    ['service-monitor.yaml', 'authorization:', 'authorisation:', '/spec/endpoints/0/authorisation is not known'],
    ['rollout.yaml', '\ndata:', '\ndatas:', '/datas is not known'],
    ['autoscaler.yaml', 'autoscaling/v2', 'autoscaling/v3', 'autoscaling/v3 HorizontalPodAutoscaler has no schema'],
  ])('%s would fail the check with %j written %j', (file, right, wrong, mistake) => {
    const text = MANIFEST_TEXTS[file] ?? ''
    expect(text).toContain(right)
    const mistakes = manifestsIn(text.replace(right, wrong)).flatMap(mistakesIn)
    expect(mistakes).toEqual([expect.stringContaining(mistake)])
  })

  it('are all applied but for the example of the Secret', () => {
    const files = Object.keys(MANIFEST_TEXTS).filter((name) => name !== 'secret.example.yaml')
    expect([...kustomization.resources].sort()).toEqual(files)
  })

  it('run the image of this version', () => {
    expect(kustomization.images).toMatchObject([{ name: container.image, newTag: packageJson.version }])
  })

  it.skipIf(!isInstalled('kubectl'))(
    'are rendered by kubectl kustomize (kubectl, of the package kubernetes-client)',
    () => {
      const rendered = manifestsIn(
        execFileSync('kubectl', ['kustomize', KUBERNETES], { encoding: 'utf8', stdio: 'pipe' }),
      )
      expect(rendered.flatMap(mistakesIn)).toEqual([])
      expect(rendered).toHaveLength(manifests.length)
      const isSettings = ({ kind, metadata }: Manifest): boolean =>
        kind === 'ConfigMap' && metadata.name !== 'legacy-gateway-rollout'
      const settings = rendered.find(isSettings)
      expect(settings?.data).toEqual(SETTINGS)
      const [gateway] = rendered.find(({ kind }) => kind === 'Deployment')?.spec.template.spec.containers ?? []
      expect(gateway.envFrom).toEqual([
        // With its hash, so that a change restarts the pods.
        { configMapRef: { name: settings?.metadata.name } },
        { secretRef: { name: secret.metadata.name } },
      ])
      expect(gateway.image).toMatch(/\/legacy-gateway:\d+\.\d+\.\d+$/)
    },
  )
})

describe('the pods', () => {
  it('get only variables that docs/configuration.md has, and start with them', () => {
    const names = [
      ...Object.keys(SETTINGS),
      ...Object.keys(secret.stringData ?? {}),
      ...container.env.map(({ name }: { readonly name: string }) => name),
    ]
    expect(names.filter((name) => !documented.includes(name))).toEqual([])
    expect(readConfig(environment, imageCommand().includes('--require-token-key')).drainMs).toBe(5_000)
  })

  it('get their secrets from a Secret whose example cannot be used as it is', () => {
    expect(Object.keys(secret.stringData ?? {}).sort()).toEqual(['ADMIN_TOKEN', 'STATE_DB', 'TOKEN_KEY'])
    for (const value of Object.values(secret.stringData ?? {})) expect(value).toContain('CHANGE-ME')
    const { ADMIN_TOKEN, TOKEN_KEY } = secret.stringData ?? {}
    expect(() => readConfig({ ADMIN_TOKEN })).toThrow('ADMIN_TOKEN')
    expect(() => readConfig({ TOKEN_KEY })).toThrow('TOKEN_KEY')
    const inClear = Object.values(MANIFEST_TEXTS).join('') + readFileSync(`${KUBERNETES}/kustomization.yaml`, 'utf8')
    expect(inClear.match(/postgres:\/\/[^\s]*/g)).toEqual([secret.stringData?.STATE_DB])
  })

  it('listen where all others look for them', () => {
    const ports = Object.fromEntries(
      container.ports.map(({ name, containerPort }: Record<string, unknown>) => [name, containerPort]),
    )
    const defaults = variables.parse(SETTINGS)
    expect(ports).toEqual({ http: defaults.PORT, admin: defaults.ADMIN_PORT })
    expect(defaults.HOST).toBe('0.0.0.0')
    expect(defaults.ADMIN_HOST).toBe('0.0.0.0')
    const asked = [
      ...services.flatMap(({ spec }) => spec.ports.map(({ targetPort }: Record<string, string>) => targetPort)),
      ...[container.startupProbe, container.readinessProbe, container.livenessProbe].map(({ httpGet }) => httpGet.port),
      ...manifestOf('NetworkPolicy').spec.ingress.flatMap(({ ports: allowed }: Record<string, { port: string }[]>) =>
        allowed?.map(({ port }) => port),
      ),
    ]
    expect(new Set(asked)).toEqual(new Set(['http', 'admin']))
  })

  it('are those that the services, the budget, the policy, the autoscaler and the deployment mean', () => {
    const selectors = [
      deployment.selector.matchLabels,
      ...services.map(({ spec }) => spec.selector),
      manifestOf('PodDisruptionBudget').spec.selector.matchLabels,
      manifestOf('NetworkPolicy').spec.podSelector.matchLabels,
      ...pod.topologySpreadConstraints.map(
        ({ labelSelector }: Record<string, { matchLabels: object }>) => labelSelector?.matchLabels,
      ),
    ]
    expect(selectors).toHaveLength(7)
    expect(selectors.filter((selector) => !isWithin(selector, podMetadata.labels))).toEqual([])
    const { apiVersion, kind, metadata } = manifestOf('Deployment')
    expect(manifestOf('HorizontalPodAutoscaler').spec.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name })
    // Otherwise applying the manifests would undo what the autoscaler has decided.
    expect(deployment).not.toHaveProperty('replicas')
  })

  it('have as long to stop as they need, and balancers notice within the drain', () => {
    const { drainMs, shutdownGraceMs } = readConfig(environment)
    const [program, seconds] = container.lifecycle.preStop.exec.command
    expect(program).toBe('sleep')
    const needed = Number(seconds) * 1_000 + drainMs + shutdownGraceMs + 1_000
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThanOrEqual(needed)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(periodSeconds * failureThreshold * 1_000).toBeLessThan(drainMs)
  })

  it('may do as little as Kubernetes can hold them to', () => {
    expect(manifestOf('Namespace').metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // `node` of the image, which Kubernetes cannot tell from root by its name.
    expect(pod.securityContext.runAsUser).toBe(1_000)
  })

  it('find a rollout and a mapping file that the gateway accepts, in a folder whose files change', () => {
    const { data } = manifestOf('ConfigMap', 'legacy-gateway-rollout')
    const rollout = data?.['rollout.json'] ?? ''
    expect(() => rolloutParser(operations)(rollout)).not.toThrow()
    const mount = container.volumeMounts.find(({ name }: { readonly name: string }) => name === 'rollout')
    expect(SETTINGS.ROLLOUT_FILE).toBe(`${mount.mountPath}/rollout.json`)
    const corrections = parseCorrections(data?.['mapping.json'] ?? '')
    expect(correctedOperations(operations, corrections)).toEqual(operations)
    expect(SETTINGS.MAPPING_FILE).toBe(`${mount.mountPath}/mapping.json`)
    // Files that are mounted alone are never renewed.
    expect(container.volumeMounts.filter((each: object) => 'subPath' in each)).toEqual([])
    const database = new URL(secret.stringData?.STATE_DB ?? '')
    const authorities = container.volumeMounts.map(({ mountPath }: { readonly mountPath: string }) => mountPath)
    expect(authorities).toContain(dirname(database.searchParams.get('sslrootcert') ?? ''))
    expect(database.searchParams.get('sslmode')).toBe('verify-full')
  })
})

describe('the gateway that the pods run', () => {
  let admin: string

  beforeAll(async () => {
    const [command = '', ...options] = imageCommand()
    const here = {
      ROLLOUT_FILE: '',
      MAPPING_FILE: '',
      ADMIN_HOST: '127.0.0.1',
      V1_BASE_URL: 'http://127.0.0.1:9',
      LEGACY_BASE_URL: '',
    }
    admin = (await servingAt(startService(command as 'serve', { ...environment, ...here }, options))).admin
  })

  it.each(['startupProbe', 'readinessProbe', 'livenessProbe'])('answers the %s, without the token', async (probe) => {
    const { path } = container[probe].httpGet
    expect((await callLegacy(admin, { path })).status).toBe(200)
  })

  it('gives its metrics to the ServiceMonitor, which has the token, under the job that the alerts ask for', async () => {
    const { type, credentials } = endpoint.authorization
    expect(credentials).toEqual({ name: secret.metadata.name, key: 'ADMIN_TOKEN' })
    const headers = { authorization: `${type} ${ADMIN_TOKEN}` }
    expect((await callLegacy(admin, { path: endpoint.path, headers })).text).toContain('legacy_gateway_calls_total')
    expect((await callLegacy(admin, { path: endpoint.path })).status).toBe(401)
    const watched = services.filter(({ metadata }) =>
      isWithin(monitor.spec.selector.matchLabels, metadata.labels ?? {}),
    )
    expect(watched.map(({ metadata }) => metadata.name)).toEqual(['legacy-gateway-admin'])
    expect(watched[0]?.spec.ports).toMatchObject([{ name: endpoint.port }])
    const job = watched[0]?.metadata.labels?.[monitor.spec.jobLabel]
    expect(readFileSync('src/observe/monitoring/alerts.yml', 'utf8')).toContain(`up{job="${job}"}`)
  })
})

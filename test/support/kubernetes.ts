import { globSync, readFileSync } from 'node:fs'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Secret } from 'kubernetes-models/v1/Secret'
import { Service } from 'kubernetes-models/v1/Service'
import { parse, parseAllDocuments } from 'yaml'

export const KUBERNETES = 'deploy/kubernetes'

/** A document of a manifest, as far as all of them have the same members. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: the schema has been checked.
  readonly spec?: any
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[]
  readonly images: readonly { readonly name: string; readonly newTag: string }[]
}

/** A kind of Kubernetes, or of its Prometheus operator, with its published schema. */
interface Kind {
  readonly apiVersion: string
  readonly kind: string
  /** Checks `this`. Throws what is wrong, separated by commas. */
  readonly prototype: { validate(this: unknown): void }
}

const KINDS: readonly Kind[] = [
  ...[ConfigMap, Deployment, HorizontalPodAutoscaler, Namespace, NetworkPolicy, PodDisruptionBudget],
  ...[Secret, Service, ServiceMonitor],
]

export const kustomization = parse(readFileSync(`${KUBERNETES}/kustomization.yaml`, 'utf8')) as Kustomization

/** The manifests' files by name, but for `kustomization.yaml`. */
export const MANIFEST_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  globSync(`${KUBERNETES}/*.yaml`)
    .map((path) => [path.slice(KUBERNETES.length + 1), readFileSync(path, 'utf8')] as const)
    .filter(([name]) => name !== 'kustomization.yaml')
    .sort(),
)

export const manifestsIn = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

/** All manifests, the example of the Secret among them. */
export const manifests: readonly Manifest[] = Object.values(MANIFEST_TEXTS).flatMap(manifestsIn)

/** The manifest of this kind and name. */
export function manifestOf(kind: string, name = 'legacy-gateway'): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found
}

/** The variables that the kustomization gives to the gateway, beside those of the Secret. */
export const SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  kustomization.configMapGenerator.flatMap(({ literals }) => literals.map((line) => line.split(/=(.*)/s).slice(0, 2))),
)

/**
 * What is wrong with a manifest: where it breaks its published schema, and members that the schema does not know, which servers
 * of Kubernetes may ignore without a word.
 */
export function mistakesIn(manifest: Manifest): readonly string[] {
  const { apiVersion, kind } = manifest
  const known = KINDS.find((each) => each.apiVersion === apiVersion && each.kind === kind)
  if (known === undefined) return [`${apiVersion} ${kind} has no schema`]
  const { value, unread } = watched(manifest)
  try {
    known.prototype.validate.call(value)
  } catch (error) {
    return (error as Error).message.split(', ').map((mistake) => mistake.replace(/^data\//, '/'))
  }
  return unread().map((path) => `${path} is not known`)
}

/**
 * A view of a value that notices which members are read. The compiled schemas let unknown members pass, but they read only those that
 * they know.
 */
function watched(value: unknown, path = ''): { readonly value: unknown; unread(): readonly string[] } {
  if (typeof value !== 'object' || value === null) return { value, unread: () => [] }
  const read = new Map<string, ReturnType<typeof watched>>()
  const proxy = new Proxy(value, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver)
      if (typeof name !== 'string' || !Object.hasOwn(target, name)) return member
      const seen = read.get(name) ?? watched(member, `${path}/${name}`)
      read.set(name, seen)
      return seen.value
    },
  })
  const names = (): readonly string[] => Object.keys(value)
  return {
    value: proxy,
    unread: () => names().flatMap((name) => read.get(name)?.unread() ?? [`${path}/${name}`]),
  }
}

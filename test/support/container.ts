import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface ComposeService {
  readonly profiles?: readonly string[]
  readonly image?: string
  readonly deploy?: { readonly replicas: number }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly secrets?: readonly string[]
  readonly stop_grace_period?: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly security_opt?: readonly string[]
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly environment: string }>>
}

export const COMPOSE_TEXT = readFileSync('docker-compose.yml', 'utf8')
const DOCKERFILE = readFileSync('Dockerfile', 'utf8')

/** The Compose file as it is written, with its anchors in place: Compose reads YAML 1.1, whose `<<` takes the members of another. */
export const composeIn = (text: string): unknown => parse(text, { merge: true })

/**
 * The Compose file with these variables filled in. `${NAME:-default}` and `${NAME:?error}` are supported (the
 * specification, Interpolation); nested ones are not, since engines treat them differently.
 */
export function composeWhere(set: Readonly<Record<string, string>>): Compose {
  const interpolated = (text: string): string =>
    text.replaceAll(/\$\{([^}]*)\}/g, (written, inner: string) => {
      const [, name = '', operator, operand = ''] = /^(\w+):([-?])([^${}]*)$/.exec(inner) ?? []
      if (operator === undefined) throw new Error(`${written} is not known`)
      if (operator === '?' && !set[name]) throw new Error(`${name} is missing: ${operand}`)
      return set[name] || operand
    })
  return JSON.parse(JSON.stringify(composeIn(COMPOSE_TEXT)), (_, value: unknown) =>
    typeof value === 'string' ? interpolated(value) : value,
  ) as Compose
}

/** The words of the command that a container of the image runs. */
export const IMAGE_COMMAND = JSON.parse(/^CMD (\[.*\])$/m.exec(DOCKERFILE)?.[1] ?? '[]') as readonly string[]

/** The gateway's command that a container of the image runs, with its options. */
export const imageCommand = (): readonly string[] => IMAGE_COMMAND.slice(2)

/** The folders of the image that its user may write. */
export function writableFolders(): readonly string[] {
  return /^RUN mkdir .* && chown node (.*)$/m.exec(DOCKERFILE)?.[1]?.split(' ') ?? []
}

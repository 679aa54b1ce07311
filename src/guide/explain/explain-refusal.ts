import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { type Language, type Messages, say } from '../../gateway/errors/messages.ts'
import type { Refusal } from '../../gateway/errors/refusal.ts'
import { translateError } from '../../gateway/errors/translate-error.ts'

/** A call that the gateway would refuse without asking v1. */
export interface ExplainedRefusal {
  /** The answer that the client would get. */
  readonly status: number
  readonly body: unknown
  /** What is wrong and what would be right, always in English. */
  readonly why: readonly string[]
}

/** Explains a refusal. `advice` says what would be right, where the messages do not. */
export function explainRefusal(
  refusal: Refusal,
  language: Language,
  messages: Messages,
  advice: readonly string[] = [],
): ExplainedRefusal {
  const { status, body } = translateError(refusal, language, messages)
  const violations = (refusal.violations ?? []).filter(({ path }) => path !== '')
  return {
    status,
    body: JSON.parse(Buffer.from(body as Uint8Array).toString()) as unknown,
    why: [
      say(messages, 'en', refusal.message, refusal.values),
      ...violations.map(({ path, message, with: values }) => `${path}: ${say(messages, 'en', message, values)}`),
      ...advice,
    ],
  }
}

/** Says what would be right instead of a path or a method that no operation has. */
export function adviceFor(operations: readonly CompiledOperation[], basePath: string, path: string): readonly string[] {
  return (
    nearMiss(operations, basePath, path) ?? [
      'Any path but these is passed on to the legacy service, if one is configured:',
      ...operations.map(({ mapping: { legacy } }) => `${legacy.method} ${basePath}${legacy.path}`),
    ]
  )
}

/** Says which operation a path probably meant. Undefined if it resembles none. */
export function nearMiss(
  operations: readonly CompiledOperation[],
  basePath: string,
  path: string,
): readonly [string] | undefined {
  const routes = operations.map(({ mapping: { legacy, v1 } }) => ({
    legacy: `${legacy.method} ${basePath}${legacy.path}`,
    paths: [legacy.path, basePath + legacy.path].map(simplified),
    v1: v1?.path,
  }))
  const near = routes.filter(({ paths }) => paths.includes(simplified(path)))
  if (near.length > 0) {
    return [
      `Paths and methods are matched exactly as written; did you mean ${near.map(({ legacy }) => legacy).join(' or ')}?`,
    ]
  }
  const migrated = routes.filter(({ v1 }) => v1 !== undefined && pattern(v1).test(path))
  if (migrated.length > 0)
    return [`This is already a v1 path; its legacy call is ${migrated.map(({ legacy }) => legacy).join(' or ')}.`]
  return undefined
}

/** Simplifies a path, so that paths that are easily mistaken for each other become equal. */
function simplified(path: string): string {
  const plain = path.replaceAll(/%[2-7][\da-f]/gi, decodeURIComponent)
  return `/${plain
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`.toLowerCase()
}

/** Matches the paths of a v1 route, with any value for `{id}`. */
const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

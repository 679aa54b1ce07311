import type { KnownUsage } from '../control-plane/usage/stored-usage.ts'
import { MOST_DAYS } from '../control-plane/usage/usage.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { GuideTexts, MakeGuide } from '../exchange/guide-form.ts'
import { guideOf } from '../guide/client/client-guide.ts'
import { guideHtml } from '../guide/client/guide-html.ts'
import { guideMarkdown } from '../guide/client/guide-markdown.ts'
import type { Snippet, SnippetRequest } from '../guide/snippets/snippets-of.ts'

interface GuideParts {
  readonly operations: () => readonly CompiledOperation[]
  readonly usage: Pick<KnownUsage, 'ofClient'>
  /** The public address of v1; undefined: it is not known. */
  readonly v1: URL | undefined
  /** When the legacy interface is removed; undefined: not announced. */
  readonly sunset: Date | undefined
  /** The prefix of the legacy interface's paths. */
  readonly basePath: string
  readonly snippetsOf: (request: SnippetRequest) => readonly Snippet[]
  readonly now?: () => Date
}

/** Returns a function that makes a client's guide from what is known of its calls. It rejects with a StateError. */
export function guideMaker({ operations, usage, basePath, now = () => new Date(), ...facts }: GuideParts): MakeGuide {
  return async (client, language): Promise<GuideTexts | undefined> => {
    const used = await usage.ofClient(client, MOST_DAYS)
    const guide = guideOf(used, { ...facts, operations: operations(), client, madeAt: now(), legacy: basePath })
    if (guide === undefined) return undefined
    const json = `${JSON.stringify(guide, null, 2)}\n`
    return { html: guideHtml(guide, language), markdown: guideMarkdown(guide, language), json }
  }
}

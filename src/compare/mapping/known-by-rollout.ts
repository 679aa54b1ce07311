import type { Operation } from '../../mapping/operation.ts'
import type { IgnoreRule } from '../rollout/rollout.ts'
import { type KnownLines, knownLines } from './known-lines.ts'
import type { MappingLine } from './mapping-line.ts'

/** What is known of the answers of all operations, by id; prepared anew when the rules of the rollout file have changed. */
export function knownByRollout(
  operations: readonly { readonly mapping: Operation; readonly lines: readonly MappingLine[] }[],
  rules: () => readonly IgnoreRule[],
): () => ReadonlyMap<string, KnownLines> {
  const prepare = (ignore: readonly IgnoreRule[]): ReadonlyMap<string, KnownLines> =>
    new Map(operations.map(({ mapping, lines }) => [mapping.id, knownLines(mapping, lines, ignore)]))
  let by = rules()
  let known = prepare(by)
  return () => {
    if (by !== rules()) {
      by = rules()
      known = prepare(by)
    }
    return known
  }
}

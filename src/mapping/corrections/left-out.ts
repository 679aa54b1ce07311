import type { Rule } from '../shape.ts'
import { isWithin, sourceOf } from './contradictory-lines.ts'
import type { Context, Draft } from './place-lines.ts'

// What v1 has and corrected answers do not show.

/** What the reason of a dropped member begins with. */
export const BY_THE_FILE = 'MAPPING_FILE: '

const NOT_READ = `${BY_THE_FILE}the line that read it was replaced`

/** Leaves out what replaced lines read of v1 under another name: under its own, legacy has no such member. */
export function leaveOutUnread(replaced: readonly (readonly [string, Rule])[], { v1Only }: Draft): void {
  for (const [member, rule] of replaced) {
    for (const read of sourceOf(member, rule)) if (read !== member) v1Only.set(read, NOT_READ)
  }
}

export const dropReason = ({ why, by }: Pick<Context, 'why' | 'by'>): string =>
  `${BY_THE_FILE}${why ?? 'legacy does not have it'}${by === undefined ? '' : ` (${by})`}`

/** A member that a line reads is not answered under its own name, so it need not be dropped. */
export function withoutRead({ rules, v1Only }: Draft): void {
  const reads = [...rules].flatMap(([member, rule]) => [...sourceOf(member, rule), ...partsOf(rule)])
  for (const read of reads) {
    v1Only.delete(read)
    for (const [path, reason] of v1Only) {
      if (reason === NOT_READ && (isWithin(path, read) || isWithin(read, path))) v1Only.delete(path)
    }
  }
}

/** The v1 paths within the object that a text is put together from. */
const partsOf = (rule: Rule): readonly string[] =>
  rule.kind === 'context' && rule.source.from === 'join'
    ? rule.source.parts.flatMap((part) => ('path' in part && part.anchor === undefined ? [part.path] : []))
    : []

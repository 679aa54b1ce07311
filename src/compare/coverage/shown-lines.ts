import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { type Difference, partOf } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { ReadAnswer } from '../read-reply.ts'
import { languageOf } from '../reply-of.ts'
import type { LineName } from './line-to-see.ts'

/** A line that one exchange shows, and whether its answers differ there. */
export interface ShownLine extends LineName {
  readonly differs: boolean
}

/** The parts of a request that lines are about. */
export type AskedRequest = Pick<ExchangeRequest, 'query' | 'headers' | 'body'>

/**
 * Returns the mapping lines that a compared exchange shows. The line of an answer's member is shown by the control's answer, and
 * differs if a difference falls under it. All other lines differ if anything differs. Drift, losses and wording do not count as
 * differences here; differences that a rule of the rollout file ignores do.
 * @param code v1's error code; undefined: none.
 * @param reasons why each difference that has not drifted is ignored; null: it counts.
 */
export function shownLines(
  expectations: Pick<Expectations, 'toSee' | 'linesAt'>,
  { headers, sent }: Pick<AskedRequest, 'headers'> & { readonly sent: readonly string[] },
  control: ReadAnswer,
  code: string | undefined,
  reasons: ReadonlyMap<Difference, string | null>,
): readonly ShownLine[] {
  const showing = {
    isSent: (legacy: string) => sent.includes(legacy),
    language: languageOf(headers),
    success: partOf(control.status) === 'answer' ? control.read.json : undefined,
    code,
  }
  const differing = [...reasons].filter(([, why]) => !isExcused(why)).map(([difference]) => difference)
  const isWhole = differing.some(({ part }) => part === 'status')
  const members = new Set(differing.flatMap((where) => expectations.linesAt(where)))
  return expectations.toSee
    .filter((line) => line.isShownIn(showing))
    .map(({ part, legacy, member }) => ({
      ...{ part, legacy },
      differs: member === null ? differing.length > 0 : isWhole || members.has(member),
    }))
}

/** Whether the mapping itself excuses a difference. Rules do not matter here: they change later, but these counts stay. */
const isExcused = (why: string | null): boolean => why !== null && !why.startsWith('rule: ')

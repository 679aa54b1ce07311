import { z } from 'zod'
import { COMPARED_HEADERS } from '../../exchange/compared-headers.ts'
import { isJudgedByChange, KINDS, type Kind } from '../diff/difference.ts'

/** A rule that keeps differences from counting. Plain data; a condition that is left out always holds. */
export interface IgnoreRule {
  /** An operation's id, or `*`. */
  readonly operation: string
  /** A legacy path, with indices as `[]`. The rule covers everything beneath it too. */
  readonly path: string
  /** Only differences of this kind; undefined: of every kind except status, failure and header. */
  readonly kind?: Kind | undefined
  /** Only this change, as reports show it: `200 → 400`. */
  readonly details?: string | undefined
  /** Only calls of this client, named as in `clients`. */
  readonly client?: string | undefined
  /** Numbers may differ by this share of the control's: 0.01 is 1 %. */
  readonly tolerance?: number | undefined
  /** The items of arrays may come in any order. */
  readonly unordered?: true | undefined
  /** The last day on which the rule holds, UTC: `2027-01-31`. */
  readonly until?: string | undefined
  readonly by?: string | undefined
  readonly why: string
}

const DAY_MS = 86_400_000

/** Returns the end of a rule's last day, in ms since the epoch. */
export const endOf = ({ until }: IgnoreRule): number =>
  until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) + DAY_MS

/** Returns the kind of difference that a rule is about; undefined: every kind except status, failure and header. */
export function kindOf({ kind, tolerance, unordered }: IgnoreRule): Kind | undefined {
  if (tolerance !== undefined) return 'changed'
  return unordered === undefined ? kind : 'order'
}

/**
 * Whether a rule needs the values of both answers, or the client. Such a rule acts during the comparison, and excuses for good.
 * Other rules also apply to earlier results.
 */
export const needsValues = ({ tolerance, client }: IgnoreRule): boolean =>
  tolerance !== undefined || client !== undefined

/** A contradiction in a rule: the member, the message, and whether a rule has it. */
type Contradiction = readonly [member: keyof IgnoreRule, message: string, holds: (rule: IgnoreRule) => boolean]

const CONTRADICTIONS: readonly Contradiction[] = [
  [
    'kind',
    'the path "" covers every difference: name a kind, for instance "status"',
    ({ path, kind }) => path === '' && kind === undefined,
  ],
  [
    'path',
    'the path of a status or a failure is ""',
    ({ path, kind }) => (kind === 'status' || kind === 'failure') && path !== '',
  ],
  [
    'path',
    `no such header is compared; expected one of ${COMPARED_HEADERS.join(', ')}`,
    ({ path, kind }) => kind === 'header' && !['', ...COMPARED_HEADERS].includes(path),
  ],
  [
    'details',
    'details apply only to the kinds status, failure, header and type: name one of them as kind',
    ({ kind, details }) => details !== undefined && (kind === undefined || !isJudgedByChange(kind)),
  ],
  [
    'details',
    'must be the change as reports show it, for instance "200 → 400"',
    ({ kind, details }) => details !== undefined && kind !== 'failure' && !/^\S.* → .*\S$/.test(details),
  ],
  [
    'tolerance',
    'a tolerance applies to numbers that changed: leave out kind, or set it to "changed"',
    ({ kind, tolerance }) => tolerance !== undefined && kind !== undefined && kind !== 'changed',
  ],
  [
    'unordered',
    'unordered is about the order of items: leave out kind, or set it to "order"',
    ({ kind, unordered }) => unordered !== undefined && kind !== undefined && kind !== 'order',
  ],
  [
    'unordered',
    'a rule can have a tolerance or be unordered, not both: write two rules',
    ({ tolerance, unordered }) => tolerance !== undefined && unordered !== undefined,
  ],
  [
    'client',
    'unordered applies to all clients: leave out client',
    ({ client, unordered }) => client !== undefined && unordered !== undefined,
  ],
]

/** The schema of a rule. @param operation the schema of its operation. */
export const ignoreRule = (operation: z.ZodType<string>) =>
  z
    .strictObject({
      operation,
      path: z.string(),
      kind: z.enum(KINDS).optional(),
      details: z.string().trim().min(1).optional(),
      client: z.string().min(1).optional(),
      tolerance: z.number('must be a share of the number, for instance 0.01').gt(0).lt(1).optional(),
      unordered: z.literal(true).optional(),
      until: z.iso.date('must be the last day on which the rule holds, for instance "2027-01-31"').optional(),
      by: z.string().trim().min(1).optional(),
      why: z.string().trim().min(1),
    })
    .check(({ value, issues }) => {
      for (const [member, message, holds] of CONTRADICTIONS) {
        if (holds(value)) issues.push({ code: 'custom', path: [member], message, input: value })
      }
    })

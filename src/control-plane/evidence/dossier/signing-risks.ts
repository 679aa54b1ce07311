import { counted, listedUpTo, timeInWords } from '../../../common/figures.ts'
import { writesInWords } from '../writes/dropped-members.ts'
import type { Dossier, DossierOperation } from './dossier.ts'
import { isOnLegacy, isUse, type OperationCalls, showsAny } from './dossier-callers.ts'

/** What the evidence says of an operation, as whoever signs must know it. */
export type Standing =
  | 'proven'
  | 'differs'
  | 'unproven write'
  | 'never compared'
  | 'too little compared'
  | 'no equivalent'

/** A risk of the switch-off that someone has to accept. */
export interface Risk {
  readonly says: string
  /** Names the clients that it hits, or says that none is known. */
  readonly hits: string
}

/** The most names in one cell, and the most clients, whose names are longer: page one is one sheet. */
const MOST_NAMES = 5
const MOST_CLIENTS = 3

/** Returns what the evidence says of an operation. */
export function standingOf({ v1, effect, report, neverCompared }: DossierOperation): Standing {
  if (v1 === null) return 'no equivalent'
  if (report?.verdict === 'ready') return 'proven'
  if (report?.verdict === 'not ready') return 'differs'
  if (effect === 'write' && (neverCompared === null || neverCompared === 'a write')) return 'unproven write'
  return neverCompared === null ? 'too little compared' : 'never compared'
}

const RISK_OF: Readonly<Record<Exclude<Standing, 'proven'>, string>> = {
  'no equivalent': 'v1 has no equivalent: these calls fail',
  differs: 'v1 answers differently than legacy',
  'unproven write': 'Writes whose effect at v1 is not proven',
  'never compared': 'Never compared with legacy',
  'too little compared': 'Too little was compared to prove anything',
}

/** What the risks follow from. */
interface Findings extends Pick<Dossier, 'since' | 'operations' | 'callers'> {
  readonly calls: readonly OperationCalls[]
}

/**
 * Lists what whoever signs has to accept, with the clients that each risk hits: those whose calls v1 does not answer already, and whose
 * calls showed the lines that it is about. The worst come first. The last one always holds.
 */
export function risksOf({ since, operations, callers, calls }: Findings): readonly Risk[] {
  const day = timeInWords(callers.since).slice(0, 10)
  const onLegacy = calls.filter(isOnLegacy)
  const hitting = (isHit: (calls: OperationCalls) => boolean, none = `nobody since ${day}`): string => {
    const hit = new Set(onLegacy.filter(isHit).map(({ client }) => client))
    const names = callers.clients.flatMap(({ client }) => (hit.has(client) ? [client] : []))
    return names.length === 0 ? none : listedUpTo(MOST_CLIENTS, names)
  }
  const about = (some: readonly DossierOperation[], says: string): readonly Risk[] => {
    const ids = some.map(({ operation }) => operation)
    return ids.length === 0
      ? []
      : [{ says: `${says}: ${named(ids)}.`, hits: hitting(({ operation }) => ids.includes(operation)) }]
  }
  const standing = (which: Exclude<Standing, 'proven'>): readonly Risk[] =>
    about(
      operations.filter((operation) => standingOf(operation) === which),
      RISK_OF[which],
    )
  /** A risk of the lines of some operations: it hits whoever has shown them. */
  const ofLines = (
    some: readonly DossierOperation[],
    linesOf: (operation: DossierOperation) => readonly Named[],
    says: (lines: readonly Named[], ids: readonly string[]) => string,
  ): readonly Risk[] => {
    const lines = new Map(some.flatMap((one) => (linesOf(one).length === 0 ? [] : [[one.operation, linesOf(one)]])))
    const isHit = (calls: OperationCalls): boolean => showsAny(calls, lines.get(calls.operation) ?? [])
    return lines.size === 0
      ? []
      : [
          {
            says: says([...lines.values()].flat(), [...lines.keys()]),
            hits: hitting(isHit, `nobody seen since ${day}`),
          },
        ]
  }
  const mapped = operations.filter(({ v1 }) => v1 !== null)
  const isUnknown = (id: string): boolean => !operations.some(({ operation }) => operation === id)
  const unknown = hitting((calls) => isUnknown(calls.operation) && isUse(calls), '')
  return [
    ...standing('no equivalent'),
    ...(unknown === '' ? [] : [{ says: 'Paths that no mapping knows: these calls fail.', hits: unknown }]),
    ...operations.flatMap(lostByWrites).map(({ says, id }) => ({
      ...{ says, hits: hitting(({ operation }) => operation === id) },
    })),
    ...standing('differs'),
    ...standing('unproven write'),
    ...standing('never compared'),
    ...standing('too little compared'),
    ...mapped.flatMap((operation) =>
      ofLines(
        [operation],
        ({ losses }) => losses,
        (lines, [id]) => `v1 has lost members of ${id}: ${namesOf(lines)}.`,
      ),
    ),
    ...about(
      operations.filter(({ laws }) => laws.some(({ broken }) => broken.length > 0)),
      'Mappings lose what they do not declare',
    ),
    ...about(
      operations.filter(({ rules }) => rules.length > 0),
      'Rules keep known differences from counting',
    ),
    ...ofLines(
      mapped,
      ({ waived }) => waived,
      (lines, ids) => `${counted(lines.length, 'line')} of mappings need not be seen: ${named(ids)}.`,
    ),
    ...ofLines(
      mapped,
      ({ report }) => report?.coverage.unseen ?? [],
      (lines, ids) => `${counted(lines.length, 'line')} of mappings never seen: ${named(ids)}.`,
    ),
    {
      says: `Calls that nobody made since ${timeInWords(since).slice(0, 10)}, such as those of a yearly job, were not compared.`,
      hits: 'not known',
    },
  ]
}

type Named = Parameters<typeof showsAny>[1][number]

/** Names lines by their part: `request unit; answer price and tax`. */
const namesOf = (lines: readonly Named[]): string =>
  Array.from(
    Map.groupBy(lines, ({ part }) => part),
    ([part, same]) => `${part} ${named(same.map(({ legacy }) => legacy ?? ''))}`,
  ).join('; ')

/** Names the members of an operation's writes that v1 does not get. */
function lostByWrites({
  operation: id,
  report,
}: DossierOperation): readonly { readonly says: string; readonly id: string }[] {
  const isLosing = report?.differences.some(({ kind, ignored }) => kind === 'dropped' && ignored === null) === true
  return report !== null && isLosing ? [{ says: `Writes lose data: ${id}: ${writesInWords(report)}.`, id }] : []
}

/** Lists the first names, and counts the others. */
const named = (names: readonly string[]): string => listedUpTo(MOST_NAMES, names)

import { counted, listedUpTo, timeInWords } from '../../../common/figures.ts'
import { writesInWords } from '../writes/dropped-members.ts'
import type { Dossier, DossierOperation } from './dossier.ts'

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

/** The most names in one cell: page one is one sheet. */
const MOST_NAMES = 5

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
  'unproven write': 'writes whose effect at v1 is not proven',
  'never compared': 'never compared with legacy',
  'too little compared': 'too little was compared to prove anything',
}

/** Lists what whoever signs has to accept, with the clients that each risk hits; the worst come first. The last one always holds. */
export function risksOf(dossier: Dossier): readonly Risk[] {
  const { operations, callers } = dossier
  const hitting = (ids: readonly string[]): string => clientsIn(callers, (operation) => ids.includes(operation))
  const idsOf = (some: readonly DossierOperation[]): readonly string[] => some.map(({ operation }) => operation)
  const about = (some: readonly DossierOperation[], says: string): readonly Risk[] =>
    some.length === 0 ? [] : [{ says: `${says}: ${named(idsOf(some))}.`, hits: hitting(idsOf(some)) }]
  const byStanding = Object.entries(RISK_OF).map(([standing, says]) =>
    about(
      operations.filter((operation) => standingOf(operation) === standing),
      capital(says),
    ),
  )
  const [noEquivalent = [], ...others] = byStanding
  const lossy = operations.filter(({ v1, losses }) => v1 !== null && losses.length > 0)
  const lawless = operations.filter(({ laws }) => laws.some(({ broken }) => broken.length > 0))
  const excused = operations.filter(({ rules }) => rules.length > 0)
  const waived = operations.filter((operation) => operation.waived.length > 0)
  const unseen = operations.filter(({ report }) => (report?.coverage.unseen.length ?? 0) > 0)
  return [
    ...noEquivalent,
    ...unknownPaths(dossier),
    ...operations.flatMap(lostByWrites).map(({ says, operation }) => ({ says, hits: hitting([operation]) })),
    ...others.flat(),
    ...about(
      lossy,
      `v1 has lost ${counted(
        sum(lossy, ({ losses }) => losses.length),
        'member',
      )}`,
    ),
    ...about(lawless, 'Mappings lose what they do not declare'),
    ...about(excused, 'Rules keep known differences from counting'),
    ...about(
      waived,
      `${counted(
        sum(waived, (operation) => operation.waived.length),
        'line',
      )} of mappings need not be seen`,
    ),
    ...about(
      unseen,
      `${counted(
        sum(unseen, ({ report }) => report?.coverage.unseen.length ?? 0),
        'line',
      )} of mappings never seen`,
    ),
    {
      says: `Calls that nobody made since ${timeInWords(dossier.since).slice(0, 10)}, such as those of a yearly job, were not compared.`,
      hits: 'not known',
    },
  ]
}

/** Names the members of an operation's writes that v1 does not get. */
function lostByWrites({
  operation,
  report,
}: DossierOperation): readonly { readonly says: string; readonly operation: string }[] {
  const isLosing = report?.differences.some(({ kind, ignored }) => kind === 'dropped' && ignored === null) === true
  return report !== null && isLosing
    ? [{ says: `Writes lose data: ${operation}: ${writesInWords(report)}.`, operation }]
    : []
}

/** Calls count under a name that is no operation if no mapping knows their path. */
function unknownPaths({ operations, callers }: Dossier): readonly Risk[] {
  const isUnknown = (id: string): boolean => !operations.some(({ operation }) => operation === id)
  return callers.clients.some((client) => client.operations.some(isUnknown))
    ? [{ says: 'Paths that no mapping knows: these calls fail.', hits: clientsIn(callers, isUnknown) }]
    : []
}

function clientsIn({ clients, since }: Dossier['callers'], isHit: (operation: string) => boolean): string {
  const names = clients.filter(({ operations }) => operations.some(isHit)).map(({ client }) => client)
  return names.length === 0 ? `nobody since ${timeInWords(since).slice(0, 10)}` : named(names)
}

const named = (names: readonly string[]): string => listedUpTo(MOST_NAMES, names)

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

const capital = (text: string): string => (text.startsWith('v1') ? text : text.charAt(0).toUpperCase() + text.slice(1))

import type { Replica } from '../../state/replicas.ts'

const NAMES = { build: 'build', mapping: 'mappings', rollout: 'rollout file' } as const

/** What replicas should agree on. */
export type VersionOf = keyof typeof NAMES

type Versions = Pick<Replica, VersionOf>

/** Names what the replicas do not agree on. */
export const disagreements = (replicas: readonly Versions[]): readonly string[] =>
  (Object.keys(NAMES) as VersionOf[])
    .filter((of) => new Set(replicas.map((replica) => replica[of])).size > 1)
    .map((of) => NAMES[of])

/** Whether a replica's version differs from the one that more than half of the replicas run. If no version has a majority, all stand out. */
export function standsOut(replica: Versions, of: VersionOf, replicas: readonly Versions[]): boolean {
  const alike = replicas.filter((other) => other[of] === replica[of]).length
  return alike * 2 <= replicas.length
}

import { counted } from '../common/figures.ts'

/** Writes the counts of a decision, as `countsOf` returns them: `v1: 512 calls, 1 failure`, and any other count by its name. */
export function countsInWords(counts: Readonly<Record<string, number>>): readonly string[] {
  const { calls, failures, legacyCalls, legacyFailures, ...others } = counts
  return [
    ...sideInWords('v1', calls, failures),
    ...sideInWords('legacy', legacyCalls, legacyFailures),
    ...Object.entries(others).map(([name, count]) => `${name} ${count}`),
  ]
}

const sideInWords = (side: string, calls?: number, failures?: number): readonly string[] =>
  calls === undefined ? [] : [`${side}: ${counted(calls, 'call')}, ${counted(failures ?? 0, 'failure')}`]

import { resolve } from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

/** Files that the gateway writes. */
const WRITTEN = ['RECORD_FILE', 'STATE_DB', 'STATE_CACHE', 'SANDBOX_DB'] as const
/** Files that it only reads. */
const READ = [
  ...['ROLLOUT_FILE', 'DOSSIER_KEY', 'V1_CLIENT_CERT', 'V1_CLIENT_KEY', 'V1_CA'],
  ...['LEGACY_CLIENT_CERT', 'LEGACY_CLIENT_KEY', 'LEGACY_CA'],
] as const

/** Returns what is wrong if a file that the gateway writes is named by two variables: one use would destroy the other. */
export function sharedFiles(set: Variables): readonly string[] {
  const names = [...WRITTEN, ...READ]
  return WRITTEN.flatMap((name, index) => {
    const path = pathOf(set[name])
    if (path === undefined) return []
    return names
      .slice(index + 1)
      .filter((other) => pathOf(set[other]) === path)
      .map((other) => `${name} and ${other} name the same file: give each a file of its own`)
  })
}

/** Undefined: the value names no file. A device such as /dev/null may be named twice. */
function pathOf(value: string | undefined): string | undefined {
  if (value === undefined || value === ':memory:' || value.includes('://')) return undefined
  const path = resolve(value.replace(/^file:/i, ''))
  return path.startsWith('/dev/') ? undefined : path
}

/**
 * Writes a time of the store in the legacy form: with the offset +00:00 and without milliseconds (docs/contract.md
 * 2.2).
 */
export function legacyTimestamp(stored: string): string {
  return `${stored.slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}+00:00`
}

import { diff } from '../../../../src/control-plane/evidence/diff/diff.ts'
import type { Answer, Comparison } from '../../../../src/control-plane/evidence/diff/difference.ts'

/** An answer with a body as it is written; 200 by default. */
export const answer = (body: string | Uint8Array, status = 200): Answer => ({
  status,
  body: typeof body === 'string' ? Buffer.from(body) : body,
})

/** Compares two bodies, as text or as values, of answers with the same status. */
export function compare(control: unknown, candidate: unknown, status = 200): Comparison {
  const text = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))
  return diff(answer(text(control), status), answer(text(candidate), status))
}

/** The differences of two bodies, each as one line: `changed data[].priceTry`, `type [].rate ×2 {"number → object":2}`. */
export const differences = (control: unknown, candidate: unknown, status = 200): readonly string[] =>
  shown(compare(control, candidate, status))

export const shown = ({ differences }: Comparison): readonly string[] =>
  differences.map(({ kind, path, count, details }) =>
    [
      kind,
      path === '' ? '""' : path,
      ...(count > 1 ? [`×${count}`] : []),
      ...(details === null ? [] : [JSON.stringify(details)]),
    ].join(' '),
  )

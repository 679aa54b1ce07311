import type { Conversion, Converter, Sample } from './converter.ts'

/**
 * Converts between legacy's names of a value and v1's. `values` maps each legacy name to v1's. List the names that are the same
 * too, so that they are described.
 *
 * An unlisted value passes unchanged. In an answer, v1 added it, and a client copes with an unknown name better than with a 500.
 * In a request, v1 judges it: a refusal becomes a 400 at the legacy member, as in legacy.
 *
 * @example
 * state: converted(enumConverter({ open: 'PENDING', paid: 'SETTLED' })),     // the same as enumOf({ … })
 * state: query(convertedBy(enumConverter({ open: 'PENDING', paid: 'SETTLED' })))   // "open" becomes ?state=PENDING
 */
export function enumConverter(values: Readonly<Record<string, string>>): Converter {
  const samples = Object.entries(values).map(
    ([legacy, v1]): Sample => ({ legacy: JSON.stringify(legacy), v1: JSON.stringify(v1) }),
  )
  const pairs = Object.entries(values).map(([legacy, v1]) => (legacy === v1 ? legacy : `${legacy} is v1’s ${v1}`))
  return {
    says: `${pairs.join(', ')}; any other value passes unchanged`,
    // The check at start-up refuses an enum without values.
    samples: samples as [Sample, ...Sample[]],
    legacy: { type: 'string', values: Object.keys(values) },
    toLegacy: lookUp(new Map(samples.map(({ legacy, v1 }) => [v1, legacy]))),
    toV1: lookUp(new Map(samples.map(({ legacy, v1 }) => [legacy, v1]))),
  }
}

/** Looks a text up as written; if it contains escapes, by its unescaped form. */
const lookUp =
  (names: ReadonlyMap<string, string>): Conversion =>
  (text) =>
    names.get(text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text)

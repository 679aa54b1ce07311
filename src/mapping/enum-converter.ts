import type { Conversion, Converter, Sample } from './converter.ts'

/**
 * Texts that have other names in v1, each legacy value with v1's. List those that stay the same too: they are described.
 *
 * A value that is not listed passes as it is. In an answer it is one that v1 added, and a client that must read something had
 * better read that than a 500. In a request v1 judges it: its refusal is a 400 at the legacy member, as legacy's would be.
 */
export function enumConverter(values: Readonly<Record<string, string>>): Converter {
  const samples = Object.entries(values).map(
    ([legacy, v1]): Sample => ({ legacy: JSON.stringify(legacy), v1: JSON.stringify(v1) }),
  )
  const pairs = Object.entries(values).map(([legacy, v1]) => (legacy === v1 ? legacy : `${legacy} is v1’s ${v1}`))
  return {
    says: `${pairs.join(', ')}; any other value passes as it is`,
    // An enum without values is refused with every other mistake, at start.
    samples: samples as [Sample, ...Sample[]],
    legacy: { type: 'string', values: Object.keys(values) },
    toLegacy: lookUp(new Map(samples.map(({ legacy, v1 }) => [v1, legacy]))),
    toV1: lookUp(new Map(samples.map(({ legacy, v1 }) => [legacy, v1]))),
  }
}

/** Looks a text up as it is written, and if it is written with escapes, without them. */
const lookUp =
  (names: ReadonlyMap<string, string>): Conversion =>
  (text) =>
    names.get(text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text)

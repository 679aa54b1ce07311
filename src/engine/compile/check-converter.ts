import type { Conversion, Converter, Sample } from '../../mapping/converter.ts'

/** Unexpected values of all kinds. */
const ODD_VALUES = [
  ...['""', '"?"', '"\\u0041"', '"\\ud83d"', '"1.5"', '"null"', 'true', 'false'],
  ...['0', '-0', '-1', '1.5', '0.1E-7', '1e400', '12345678901234567890'],
]

/** Finds the mistakes of a converter: it must work both ways, unless it is `oneWay`, and accept any value. Empty if there are none. */
export function checkConverter(converter: Converter): readonly string[] {
  // A missing member is reported like any other mistake.
  const { says = '', samples = [], merged = [], shared = [], oneWay, toLegacy, toV1 } = converter as Partial<Converter>
  const missing = [...(toLegacy === undefined ? ['toLegacy'] : []), ...(toV1 === undefined ? ['toV1'] : [])]
  if (toLegacy === undefined || toV1 === undefined) {
    return missing.map((name) => `the converter has no ${name}: it cannot be reversed`)
  }
  return [
    ...(says.trim() === '' ? ['the converter does not say what it changes'] : []),
    ...(samples.length === 0 ? ['the converter has no samples'] : []),
    ...samples.flatMap(({ legacy, v1 }) => [
      ...checkSample('toLegacy', toLegacy, v1, legacy),
      ...(oneWay === true ? checkUnchanged(toLegacy, toV1, legacy) : checkSample('toV1', toV1, legacy, v1)),
    ]),
    ...merged.flatMap(({ legacy, v1 }) => checkSample('toV1', toV1, legacy, v1)),
    ...shared.flatMap(({ legacy, v1 }) => checkSample('toLegacy', toLegacy, v1, legacy)),
    ...checkOdd('toLegacy', toLegacy),
    ...checkOdd('toV1', toV1),
  ]
}

/** A legacy value that cannot be converted to v1 must pass to v1 and back. */
const checkUnchanged = (toLegacy: Conversion, toV1: Conversion, legacy: string): readonly string[] => [
  ...checkSample('toV1', toV1, legacy, legacy),
  ...checkSample('toLegacy', toLegacy, legacy, legacy),
]

/** Finds the legacy values that an answer could never show, because v1's value has another legacy name already. */
export const checkNamesInAnswer = ({ samples, merged = [], shared = [] }: Converter): readonly string[] =>
  merged.map((second) => {
    const first = [...samples, ...shared].find(({ v1 }) => v1 === second.v1) as Sample
    return `${first.legacy} and ${second.legacy} are both v1's ${second.v1}; an answer can show one of them only: leave one out`
  })

function checkSample(name: string, conversion: Conversion, input: string, expected: string): readonly string[] {
  if (!isJson(input)) return [`the sample ${input} is not JSON: a text needs its quotes`]
  if (/^\s*[n[{]/.test(input))
    return [`the sample ${input} never reaches a converter: null, objects and lists pass unchanged`]
  const outcome = attempt(conversion, input)
  if ('failure' in outcome) return [`${name} of the sample ${input} ${outcome.failure}`]
  const result =
    outcome.text === undefined
      ? `leaves the sample ${input} unchanged`
      : `turns the sample ${input} into ${outcome.text}`
  return (outcome.text ?? input) === expected ? [] : [`${name} ${result}, but should return ${expected}`]
}

/** Reports only the first odd value that fails. */
function checkOdd(name: string, conversion: Conversion): readonly string[] {
  for (const value of ODD_VALUES) {
    const outcome = attempt(conversion, value)
    if ('failure' in outcome)
      return [`${name} of ${value} ${outcome.failure}; it must return undefined for unknown values`]
  }
  return []
}

type Attempt = { readonly text: string | undefined } | { readonly failure: string }

function attempt(conversion: Conversion, value: string): Attempt {
  try {
    const text = conversion(value)
    return text === undefined || isJson(text) ? { text } : { failure: `returns ${text}, which is not JSON` }
  } catch (error) {
    return { failure: `fails with "${error instanceof Error ? error.message : String(error)}"` }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

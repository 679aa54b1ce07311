import type { V1Value } from '../../mapping/v1-facts.ts'

/** Says in sentences what v1 accepts for a parameter: `1 to 200; by default 25.` Empty if the contract shows nothing. */
export function v1ValueInWords(value: V1Value): readonly string[] {
  const limits = [...rangeOf(value), ...(value.default === undefined ? [] : [`by default ${value.default}`])].join('; ')
  return [
    ...(limits === '' ? [] : [`${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`]),
    ...(value.says === undefined ? [] : [value.says]),
    ...(value.assumed === undefined ? [] : [`Assumed: ${value.assumed}.`]),
  ]
}

function rangeOf(value: V1Value): readonly string[] {
  const { type, low, high, shortest, longest, values, anyCase, isList, oneAndZero } = value
  if (values !== undefined) return [`one of ${values.join(', ')}${anyCase === true ? ' (in any case)' : ''}`]
  if (type === 'date') return ['YYYY-MM-DD']
  if (type === 'bool') return [`one of true, false${oneAndZero === true ? ', 1, 0' : ''}`]
  if (low !== undefined) return [high === undefined ? `at least ${low}` : `${low} to ${high}`]
  if (longest === undefined) return []
  return [
    isList === true ? `up to ${longest} characters each, separated by commas` : `${shortest} to ${longest} characters`,
  ]
}

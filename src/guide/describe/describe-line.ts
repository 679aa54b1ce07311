import type { ExplainedLine } from '../lines/explain-line.ts'

/** A line of a mapping in sentences, for descriptions that stand at the legacy member. */
export function sayLine({ legacy, v1, change, says, basis, reason }: ExplainedLine): string {
  const where =
    v1 === null || legacy === ''
      ? []
      : legacy === null
        ? [`Not answered, because legacy does not have it: ${v1}`]
        : [v1 === legacy ? 'The same in v1' : `In v1: ${v1}`]
  const what = says === null ? [] : [change === 'filled in' ? `${change}: ${says}` : says]
  const why = reason === null ? basis : `${basis}: ${reason}`
  return [...where, ...what, why].map((part) => `${sentence(part)}.`).join(' ')
}

/** Begins with a capital letter, unless it begins with v1. */
const sentence = (text: string): string => (text.startsWith('v1') ? text : text.charAt(0).toUpperCase() + text.slice(1))

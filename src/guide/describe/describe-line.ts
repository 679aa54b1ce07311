import type { ExplainedLine } from '../lines/explain-line.ts'

/** Writes a mapping line in sentences, for the description of its legacy member. */
export function sayLine({ legacy, v1, change, says, basis, reason }: ExplainedLine): string {
  const where =
    v1 === null || legacy === ''
      ? []
      : legacy === null
        ? [`Not answered, because legacy has no such member: ${v1}`]
        : [v1 === legacy ? 'The same in v1' : `In v1: ${v1}`]
  const what = says === null ? [] : [change === 'filled in' ? `${change}: ${says}` : says]
  const why = reason === null ? basis : `${basis}: ${reason}`
  return [...where, ...what, why].map((part) => `${sentence(part)}.`).join(' ')
}

/** Capitalizes the first letter, unless the text begins with v1. */
const sentence = (text: string): string => (text.startsWith('v1') ? text : text.charAt(0).toUpperCase() + text.slice(1))

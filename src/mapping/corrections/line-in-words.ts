import { converterOf, isPath } from './corrected-rule.ts'
import type { AnswerLine, RequestLine } from './corrections.ts'

const ABSENT = { null: 'null where v1 has none', missing: 'left out where v1 has null' }

const partInWords = (part: string | { readonly text: string }): string =>
  isPath(part) ? part : JSON.stringify(typeof part === 'string' ? part : part.text)

/** Says in words what a line of MAPPING_FILE does. */
export function lineInWords(line: AnswerLine | RequestLine, part: 'response' | 'request'): string {
  if ('drop' in line) return part === 'response' ? 'not answered' : 'not sent'
  if ('lost' in line) return `null: ${line.lost}`
  if ('always' in line) return `always ${JSON.stringify(line.always)}`
  if ('join' in line) return line.join.map(partInWords).join(' + ')
  const converter = converterOf(line)
  return [
    'from' in line ? line.from : line.to,
    ...(converter === undefined ? [] : [converter.says]),
    ...('absent' in line && line.absent !== undefined ? [ABSENT[line.absent]] : []),
  ].join('; ')
}

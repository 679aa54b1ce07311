import type { Operation } from '../../mapping/operation.ts'
import { documented, type ExplainedLine } from './explain-line.ts'

/** Explains the headers of the v1 call: docs/contract.md 2.3 and 3. */
export function explainHeaders({ authorization, v1 }: Operation): readonly ExplainedLine[] {
  return [
    authorization === 'token'
      ? header('Authorization', 'same', 'Bearer and a v1 token, which v1’s login returns in data.token')
      : header('Authorization', 'left out', 'v1 needs no token here'),
    header('Accept-Language', 'same', 'a value that starts with en selects English, anything else Turkish'),
    ...(v1?.method === 'POST' ? [header('Content-Type', 'converted', 'always application/json')] : []),
  ]
}

function header(name: string, change: 'same' | 'converted' | 'left out', says: string): ExplainedLine {
  return { part: 'header', legacy: name, v1: change === 'left out' ? null : name, change, says, ...documented() }
}

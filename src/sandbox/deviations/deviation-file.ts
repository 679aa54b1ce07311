import { z } from 'zod'
import { parseObject } from '../validation/read-object.ts'
import { type AnswerDeviation, answerDeviations, type Lines } from './answer-lines.ts'
import { type ContractNames, contractNames } from './contract-names.ts'
import { mistakeInWords } from './line-path.ts'
import { type RequestDeviation, requestDeviations } from './request-lines.ts'

/** How both interfaces deviate from the contract. The keys are ids of operations. */
export type Deviations = ReadonlyMap<string, Deviation>

/** How one operation deviates. */
export interface Deviation {
  readonly names: ContractNames
  readonly answers: readonly AnswerDeviation[]
  readonly requests: readonly RequestDeviation[]
}

/** A file of deviations cannot be used. The message lists every mistake, one per line, with its place. */
export class DeviationsError extends Error {
  override readonly name = 'DeviationsError'

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

const lines = z.record(z.string(), z.looseObject({}, 'must be an object, as {"from": "items[].name"}')).optional()

const file = z.strictObject({
  $schema: z.string().optional(),
  operations: z.record(
    z.string(),
    z.strictObject({
      why: z.string().optional(),
      by: z.string().optional(),
      response: lines,
      request: lines,
    }),
    'must be an object of operations, as {"city-list": {"response": {…}}}',
  ),
})

/**
 * Reads a file of deviations: the text of a MAPPING_FILE that corrects them (docs/sandbox.md "Deviations").
 * @throws DeviationsError
 */
export function readDeviations(text: string): Deviations {
  const json = parseObject(text.replace(/^\uFEFF/, ''))
  if (json === undefined) throw new DeviationsError(['the file: must be a JSON object, as {"operations": {…}}'])
  const read = file.safeParse(json, { error: mistakeInWords })
  if (!read.success) {
    throw new DeviationsError(read.error.issues.map(({ path, message }) => `${writePlace(path)}: ${message}`))
  }
  const mistakes: string[] = []
  const deviations = new Map<string, Deviation>()
  for (const [id, { response = {}, request = {} }] of Object.entries(read.data.operations)) {
    const names = Object.hasOwn(contractNames, id) ? contractNames[id] : undefined
    if (names === undefined) {
      mistakes.push(`operations.${id}: cannot deviate; expected one of ${Object.keys(contractNames).join(', ')}`)
      continue
    }
    const checked = <Line>(part: string, sent: Lines, read: (lines: Lines, refuse: Refuse) => Line): Line =>
      read(sent, (path, why) => mistakes.push(`operations.${id}.${part}.${path}${why}`))
    deviations.set(id, {
      names,
      answers: checked('response', response, (sent, refuse) => answerDeviations(sent, names, refuse)),
      requests: checked('request', request, (sent, refuse) => requestDeviations(sent, names, refuse)),
    })
  }
  if (mistakes.length > 0) throw new DeviationsError(mistakes)
  return deviations
}

/** Notes a mistake in the line of a legacy path. `why` begins behind that path. */
export type Refuse = (path: string, why: string) => void

const writePlace = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the file'

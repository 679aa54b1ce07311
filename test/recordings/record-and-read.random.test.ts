import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { readRecording } from '../../src/recordings/read-recording.ts'
import type { RecordedExchange } from '../../src/recordings/recorded-exchange.ts'
import { exchange, newDirectory, recorderTo, redact } from '../control-plane/evidence/support/recording.ts'
import { documentsOf, styles } from '../engine/support/arbitrary-documents.ts'
import { written } from '../engine/support/json-tree.ts'
import { runs } from '../support/random-runs.ts'

const shapes = operations.flatMap(({ response }) => ('shape' in response ? [response.shape] : []))
const json = fc
  .tuple(fc.oneof(...shapes.map((shape) => documentsOf(shape, 'legacy', 'any'))), styles)
  .map(([tree, style]) => written(tree, style))
const bodies = fc.oneof(json, fc.constantFrom('', 'no JSON', '{"a":', 'null'))
const visible = fc.string({ unit: fc.constantFrom(...'abc/?&=%20+[]email\xfc~.,;:@!$') })
const headers = fc.record(
  {
    'accept-language': fc.constantFrom('en', 'tr-TR,tr;q=0.9', ''),
    'content-type': fc.constantFrom('application/json'),
  },
  { requiredKeys: [] },
)
const exchanges = fc.array(
  fc.record({
    method: fc.constantFrom('GET', 'POST'),
    client: fc.constantFrom('a', 'b', undefined),
    query: visible,
    headers,
    body: bodies,
    answer: bodies,
  }),
  { minLength: 1, maxLength: 20 },
)

/** Whether a call can be read back: it has no body, or one that is kept. */
const isKept = ({ body }: { readonly body: string }): boolean => body === '' || bodyToRead(body) !== undefined

/** A body as it is read back: redacted, on one line, trimmed. */
function bodyToRead(body: string): string | undefined {
  return redact
    .body(Buffer.from(body))
    ?.toString()
    .replaceAll(/[\r\n]/g, ' ')
    .trim()
}

const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString()

describe('any recording', () => {
  const directory = newDirectory()
  let files = 0

  it.each(['', '.gz'])('is read back as the same requests and answers: traffic.ndjson%s', async (end) => {
    await fc.assert(
      fc.asyncProperty(exchanges, async (all) => {
        const file = join(directory, `${files++}.ndjson${end}`)
        const recorder = await recorderTo(file)
        for (const { client, body, answer, ...request } of all) {
          recorder.record(
            exchange({
              ...(client && { client }),
              request: { ...request, body: Buffer.from(body) },
              answer: { body: Buffer.from(answer) },
            }),
          )
        }
        await recorder.close()
        expect(recorder.counts()).toEqual({ written: all.length, dropped: 0 })
        const read: RecordedExchange[] = []
        for await (const entry of readRecording(file)) if ('method' in entry) read.push(entry)
        expect(
          read.map(({ body, answer, ...rest }) => ({ ...rest, body: textOf(body), answer: textOf(answer) })),
        ).toEqual(
          all
            .flatMap((one, index) => (isKept(one) ? [{ ...one, line: index + 1 }] : []))
            .map(({ method, client, query, headers, body, answer, line }) => ({
              line,
              at: new Date('2025-01-01T00:00:00Z'),
              ...(client && { client: redact.client(client) }),
              method,
              path: query === '' ? '/api/thing/list' : `/api/thing/list?${redact.query(query)}`,
              headers,
              body: bodyToRead(body),
              answer: bodyToRead(answer),
              status: 200,
            })),
        )
      }),
      { numRuns: runs(50) },
    )
  })
})

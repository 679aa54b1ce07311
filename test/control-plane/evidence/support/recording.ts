import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redactor } from '../../../../src/exchange/redactor.ts'
import { openRecorder, type Recorder, type RecorderOptions } from '../../../../src/recordings/record.ts'
import type { RecordableExchange } from '../../../../src/recordings/record-line.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'

/** A new directory, which is removed when the tests of the file have run. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'recording-'))
  closeAtEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export const redact = redactor(Buffer.alloc(32, 1))

interface Changes {
  readonly replica?: string
  readonly client?: string
  readonly operation?: string
  readonly request?: Partial<RecordableExchange['request']>
  readonly answer?: Partial<RecordableExchange['answer']>
  readonly recordsBodies?: boolean
}

export function exchange({
  replica = 'one',
  client,
  operation = 'thing-list',
  request,
  answer,
  recordsBodies = true,
}: Changes = {}) {
  return {
    at: new Date('2025-01-01T00:00:00Z'),
    replica,
    client,
    operation,
    answeredBy: 'legacy',
    request: { method: 'POST', path: '/api/thing/list', query: '', headers: {}, body: Buffer.from('{}'), ...request },
    answer: { status: 200, milliseconds: 12.3, body: Buffer.from('{"data":[]}'), ...answer },
    recordsBodies,
  } satisfies RecordableExchange
}

/** A log line: its level, its message, and its other members. */
export type Logged = readonly [level: string, message: string, details: object]

export interface OpenRecorder extends Recorder {
  readonly logged: readonly Logged[]
}

/** A recorder that is closed when the tests of the file have run. */
export async function recorderTo(file: string, options: Partial<RecorderOptions> = {}): Promise<OpenRecorder> {
  const logged: Logged[] = []
  const log = {
    info: (details: object, message: string) => void logged.push(['info', message, details]),
    warn: (details: object, message: string) => void logged.push(['warn', message, details]),
  } as RecorderOptions['log']
  const recorder = await openRecorder({ file, redact, log, ...options })
  closeAtEnd(() => recorder.close())
  return { ...recorder, logged }
}

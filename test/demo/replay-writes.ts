import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { runCommand } from './run-command.ts'
import type { Experiment } from './verdicts.ts'

/** Replays the writes of a recording against the legacy face of one fresh sandbox and the v1 face of another. */
export async function replayWrites(
  recording: string,
  writes: readonly string[],
  folder: string,
  target: number,
): Promise<readonly Experiment[]> {
  const file = join(folder, 'writes.ndjson')
  const lines = readFileSync(recording, 'utf8').split('\n')
  const isWrite = (line: string): boolean => line !== '' && writes.includes(JSON.parse(line).operation)
  writeFileSync(file, lines.filter(isWrite).join('\n'))
  const fresh = { host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' } as const
  const [one, other] = [await startSandbox(fresh), await startSandbox(fresh)]
  try {
    const report = join(folder, 'report')
    await runCommand([
      ...['replay', file, '--legacy', one.legacyUrl ?? '', '--v1', other.v1Url, '--include-writes'],
      ...['--client-id', 'demo-client', '--secret-key', 'demo-secret', '--target', `${target}`, '--report', report],
    ])
    return JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')).operations
  } finally {
    await Promise.all([one.close(), other.close()])
  }
}

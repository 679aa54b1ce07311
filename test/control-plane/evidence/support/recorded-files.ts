import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRecording } from '../../../../src/recordings/read-recording.ts'
import { newDirectory } from './recording.ts'

/** A file with this content. */
export function fileOf(content: string | Uint8Array): string {
  const file = join(newDirectory(), 'recording.txt')
  writeFileSync(file, content)
  return file
}

/** An entry as it was read, with its body as text, or its problem. */
export interface Entry {
  readonly line: number
  readonly at?: Date
  readonly client?: string
  readonly method?: string
  readonly path?: string
  readonly headers?: object
  readonly body?: string
  readonly problem?: string
  readonly call?: object
}

/** Everything that is read from a file with this content. */
export const entriesOf = (content: string | Uint8Array): Promise<readonly Entry[]> => entriesIn(fileOf(content))

/** Everything that is read from a file. */
export async function entriesIn(file: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of readRecording(file)) {
    if ('problem' in entry) entries.push(entry)
    else {
      const { body, ...rest } = entry
      entries.push(body === undefined ? rest : { ...rest, body: Buffer.from(body).toString() })
    }
  }
  return entries
}

/** The lines and problems of entries that cannot be used, and the paths of the others. */
export async function outlineOf(content: string | Uint8Array): Promise<readonly string[]> {
  return (await entriesOf(content)).map(({ line, path, problem }) => `${line}: ${problem ?? path}`)
}

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Operation } from '../../src/mapping/operation.ts'

/** The operations of a folder of mapping files, one a file, named like its file. */
export async function loadMappings(folder: string): Promise<readonly Operation[]> {
  const files = globSync('*.ts', { cwd: folder }).sort()
  return Promise.all(
    files.map(async (file) => {
      const { default: mapping } = (await import(pathToFileURL(join(folder, file)).href)) as {
        readonly default: Operation
      }
      if (`${mapping.id}.ts` !== file) throw new Error(`${file} states the operation ${mapping.id}`)
      return mapping
    }),
  )
}

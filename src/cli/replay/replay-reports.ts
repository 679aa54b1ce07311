import { access, constants, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ReplayError } from '../../compare/replay/replay-error.ts'
import { reportHtml } from '../../compare/report/report-html.ts'
import { type Report, reportJson } from '../../compare/report/report-json.ts'
import { reportJunit } from '../../compare/report/report-junit.ts'
import { reasonOf } from '../../recording/recorded-exchange.ts'
import { writeWhole } from '../write-whole.ts'

/**
 * Creates the directory for the reports, with its parents. Called before the replay, so that a directory without write
 * permission is noticed early.
 * @throws ReplayError
 */
export async function makeReportDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await access(directory, constants.W_OK)
  } catch (error) {
    throw new ReplayError(`--report: ${directory}: ${reasonOf(error)}`, { cause: error })
  }
}

/**
 * Writes the reports, each one completely or not at all, and returns their paths.
 * @throws ReplayError
 */
export async function writeReports(directory: string, report: Report): Promise<readonly string[]> {
  const texts = {
    'report.json': reportJson(report),
    'report.html': reportHtml(report),
    'junit.xml': reportJunit(report),
  }
  const files: string[] = []
  for (const [name, text] of Object.entries(texts)) {
    const file = join(directory, name)
    await writeWhole(file, text).catch((error: unknown) => {
      throw new ReplayError(`${file}: ${reasonOf(error)}`, { cause: error })
    })
    files.push(file)
  }
  return files
}

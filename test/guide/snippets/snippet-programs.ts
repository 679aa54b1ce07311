import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnippetLanguage, SnippetRequest } from '../../../src/guide/snippets/snippet.ts'
import { snippetsOf } from '../../../src/guide/snippets/snippets-of.ts'
import { ends, GUZZLE, hasGuzzle, hasJdk, quickJava } from '../../clients/installed.ts'
import { runProgram } from '../../clients/run-program.ts'
import { closeAtEnd } from '../../support/clean-up.ts'

interface Program {
  /** What has to be installed. */
  readonly packages: string
  readonly isInstalled: boolean
  readonly extension: string
  /** Runs the file that is its last parameter, or all such files, each by itself, where starting it takes long. */
  readonly command: readonly string[]
  readonly runsSeveral?: true
}

const PROGRAMS: Readonly<Record<SnippetLanguage, Program>> = {
  curl: { packages: 'curl', isInstalled: await ends('curl', '--version'), extension: 'sh', command: ['sh'] },
  TypeScript: {
    ...{ packages: 'Node.js 24', isInstalled: true, extension: 'mts', runsSeveral: true },
    command: [
      ...[process.execPath, '--input-type=module', '--eval'],
      'for (const file of process.argv.slice(1)) await import(file)',
    ],
  },
  PHP: {
    ...{ packages: 'php-cli and php-guzzlehttp-guzzle', isInstalled: await hasGuzzle() },
    ...{ extension: 'php', command: ['php'] },
  },
  Python: {
    ...{ packages: 'python3 and python3-requests', isInstalled: await ends('python3', '-c', 'import requests') },
    ...{ extension: 'py', runsSeveral: true },
    command: ['python3', '-c', 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)'],
  },
  Java: {
    ...{ packages: 'a JDK of Java 17 or later', isInstalled: await hasJdk(), extension: 'java', runsSeveral: true },
    command: [
      ...[...quickJava, '-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8'],
      join(import.meta.dirname, 'RunSnippets.java'),
    ],
  },
}

/** Whether a language's programs can be run here, and the name of a test that says so. */
export function runnable(language: SnippetLanguage): { readonly isInstalled: boolean; readonly title: string } {
  const { isInstalled, packages } = PROGRAMS[language]
  return { isInstalled, title: isInstalled ? language : `${language} (not installed: ${packages})` }
}

/** The program of a request in one language. */
export const codeOf = (language: SnippetLanguage, request: SnippetRequest): string =>
  snippetsOf(request).find((snippet) => snippet.language === language)?.code ?? ''

/** Writes the programs of requests to a folder that lasts until the file's tests have run. Returns their paths. */
export async function writeSnippets(
  language: SnippetLanguage,
  requests: readonly SnippetRequest[],
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'))
  closeAtEnd(() => rm(folder, { recursive: true }))
  // What Composer would write.
  await mkdir(join(folder, 'vendor'))
  await writeFile(join(folder, 'vendor', 'autoload.php'), `<?php require '${GUZZLE}';\n`)
  const files = requests.map((request, index) => ({
    path: join(folder, `snippet-${index}.${PROGRAMS[language].extension}`),
    code: codeOf(language, request),
  }))
  await Promise.all(files.map(({ path, code }) => writeFile(path, `${code}\n`)))
  return files.map(({ path }) => path)
}

/** What a snippet printed. */
export interface Printed {
  /** Without line breaks. */
  readonly body: string
  readonly status: number
}

/**
 * Runs the programs of requests as they are, one after the other. Rejects when one fails.
 * @param variables of the environment, beside those of this process.
 */
export async function runSnippets(
  language: SnippetLanguage,
  requests: readonly SnippetRequest[],
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly Printed[]> {
  const { command, runsSeveral = false } = PROGRAMS[language]
  const files = await writeSnippets(language, requests)
  const lines: string[] = []
  for (const one of runsSeveral ? [files] : files.map((file) => [file])) {
    const run = await runProgram([...command, ...one], signal, variables)
    if (run.code !== 0) throw new Error(`${language} ended with ${run.code}: ${run.lines.join('\n')}\n${run.complaint}`)
    lines.push(...run.lines)
  }
  return requests.map((_, index) => ({ body: lines[2 * index] ?? '', status: Number(lines[2 * index + 1]) }))
}

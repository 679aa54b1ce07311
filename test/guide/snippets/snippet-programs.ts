import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SnippetLanguage } from '../../../src/exchange/guide-form.ts'
import type { SnippetRequest } from '../../../src/guide/snippets/snippets-of.ts'
import { snippetsOf } from '../../../src/guide/snippets/snippets-of.ts'
import { ends, GUZZLE, hasGuzzle, hasJdk, quickJava } from '../../real/clients/installed.ts'
import { runProgram } from '../../real/clients/run-program.ts'
import { closeAtEnd } from '../../support/clean-up.ts'

interface Program {
  /** What has to be installed. */
  readonly packages: string
  readonly isInstalled: boolean
  readonly extension: string
  /**
   * Runs the file that is its last parameter. Where starting it takes long, it runs all such files, each by itself, and sets the variables
   * that stand before one, such as `V1_TOKEN=abc`.
   */
  readonly command: readonly string[]
  readonly runsSeveral?: true
}

const PROGRAMS: Readonly<Record<SnippetLanguage, Program>> = {
  curl: { packages: 'curl', isInstalled: await ends('curl', '--version'), extension: 'sh', command: ['sh'] },
  TypeScript: {
    ...{ packages: 'Node.js 24', isInstalled: true, extension: 'mts', runsSeveral: true },
    command: [
      ...[process.execPath, '--input-type=module', '--eval'],
      `const isVariable = /^([A-Z0-9_]+)=(.*)$/s
      for (const word of process.argv.slice(1)) {
        const [, name, value] = isVariable.exec(word) ?? []
        if (name === undefined) await import(word)
        else process.env[name] = value
      }`,
    ],
  },
  PHP: {
    ...{ packages: 'php-cli and php-guzzlehttp-guzzle', isInstalled: await hasGuzzle() },
    ...{ extension: 'php', command: ['php'] },
  },
  Python: {
    ...{ packages: 'python3 and python3-requests', isInstalled: await ends('python3', '-c', 'import requests') },
    ...{ extension: 'py', runsSeveral: true },
    command: [
      ...['python3', '-c'],
      `import os, re, runpy, sys
for word in sys.argv[1:]:
  variable = re.fullmatch("(?s)([A-Z0-9_]+)=(.*)", word)
  if variable: os.environ[variable[1]] = variable[2]
  else: runpy.run_path(word)`,
    ],
  },
  Java: {
    ...{ packages: 'a JDK of Java 17 or later', isInstalled: await hasJdk(), extension: 'java', runsSeveral: true },
    command: [
      // Java decodes its arguments by the locale.
      ...['env', 'LC_ALL=C.UTF-8', ...quickJava, '-Dfile.encoding=UTF-8', '-Dstdout.encoding=UTF-8'],
      ...['--add-opens', 'java.base/java.util=ALL-UNNAMED'],
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

/** Writes programs to a folder that lasts until the file's tests have run. Returns their paths. */
async function writePrograms(language: SnippetLanguage, programs: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'snippets-'))
  closeAtEnd(() => rm(folder, { recursive: true }))
  // What Composer would write.
  await mkdir(join(folder, 'vendor'))
  await writeFile(join(folder, 'vendor', 'autoload.php'), `<?php require '${GUZZLE}';\n`)
  const files = programs.map((code, index) => ({
    path: join(folder, `snippet-${index}.${PROGRAMS[language].extension}`),
    code,
  }))
  await Promise.all(files.map(({ path, code }) => writeFile(path, `${code}\n`)))
  return files.map(({ path }) => path)
}

/** Writes the programs of requests as `writePrograms` does. */
export const writeSnippets = (
  language: SnippetLanguage,
  requests: readonly SnippetRequest[],
): Promise<readonly string[]> =>
  writePrograms(
    language,
    requests.map((request) => codeOf(language, request)),
  )

/** What a snippet printed. */
export interface Printed {
  /** Without line breaks. */
  readonly body: string
  readonly status: number
}

/** Runs the programs of requests as `runPrograms` does. */
export const runSnippets = (
  language: SnippetLanguage,
  requests: readonly SnippetRequest[],
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly Printed[]> =>
  runPrograms(
    language,
    requests.map((request) => ({ code: codeOf(language, request), variables })),
    signal,
  )

/** A program and its variables of the environment, beside those of this process. */
export interface SnippetProgram {
  readonly code: string
  readonly variables: Readonly<Record<string, string>>
}

/** Runs programs that are snippets, as they are, one after the other. Rejects when one fails. */
export async function runPrograms(
  language: SnippetLanguage,
  programs: readonly SnippetProgram[],
  signal: AbortSignal,
): Promise<readonly Printed[]> {
  const { command, runsSeveral = false } = PROGRAMS[language]
  const files = await writePrograms(
    language,
    programs.map(({ code }) => code),
  )
  const words = programs.map(({ variables }, index) => [
    ...(runsSeveral ? Object.entries(variables).map(([name, value]) => `${name}=${value}`) : []),
    files[index] ?? '',
  ])
  const runs = runsSeveral
    ? [{ words: words.flat(), variables: {} }]
    : programs.map(({ variables }, index) => ({ words: words[index] ?? [], variables }))
  const lines: string[] = []
  for (const { words, variables } of runs) {
    const run = await runProgram([...command, ...words], signal, variables)
    if (run.code !== 0) throw new Error(`${language} ended with ${run.code}: ${run.lines.join('\n')}\n${run.complaint}`)
    lines.push(...run.lines)
  }
  return programs.map((_, index) => ({ body: lines[2 * index] ?? '', status: Number(lines[2 * index + 1]) }))
}

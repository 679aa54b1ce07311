import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ends, hasGuzzle, hasJdk, quickJava } from './installed.ts'
import { runProgram } from './run-program.ts'
import { startSides } from './start-sides.ts'

/*
 * Programs of other ecosystems. They check their answers against what legacy promises, and print a line for each step.
 * They are skipped by name if their interpreter is not installed.
 */

/** The steps of every program's day, in order. */
const day = [
  ...['login', 'destination', 'price', 'package', 'document'],
  ...['import', 'import used', 'import completed', 'import refused'],
  ...[
    'invoices',
    'invoices by payment',
    'invoices of status 4',
    'invoices by date',
    'invoices on large pages',
    'charges',
  ],
  ...['countries', 'cities', 'counties', 'currencies', 'units', 'export codes', 'languages'],
  ...['violations', 'business error', 'wrong credentials', 'unknown token', 'unknown path', 'wrong method'],
  ...['malformed body', 'large order', 'chunked body'],
]

/** The folder of the Java program. */
const classes = mkdtempSync(join(tmpdir(), 'java-'))
afterAll(() => rmSync(classes, { recursive: true }))
const at = (path: string): string => join(import.meta.dirname, path)

const programs = [
  {
    name: 'PHP with Guzzle',
    packages: 'php-cli and php-guzzlehttp-guzzle',
    isInstalled: await hasGuzzle(),
    prepare: undefined,
    command: ['php', at('php/day.php')],
    steps: [...day, 'compressed answer', 'file_get_contents'],
  },
  {
    name: "Java's HttpClient",
    packages: 'a JDK of Java 17 or later',
    isInstalled: await hasJdk(),
    // The program is compiled once.
    prepare: [...quickJava, '-m', 'jdk.compiler/com.sun.tools.javac.Main', '-d', classes, at('java/Day.java')],
    command: [...quickJava, '-cp', classes, 'Day'],
    steps: [...day, 'upgrade of a POST', 'HttpURLConnection'],
  },
  {
    name: 'a shell script with curl',
    packages: 'curl 7.76 or later and jq',
    isInstalled: (await ends('curl', '--fail-with-body', '--version')) && (await ends('jq', '--version')),
    prepare: undefined,
    command: ['sh', at('curl/day.sh')],
    steps: [...day, 'no body', 'kept connection', 'HTTP/1.0'],
  },
]

let sides: Awaited<ReturnType<typeof startSides>>
beforeAll(async () => {
  sides = await startSides()
})

describe('a legacy program has the same day on the legacy service and on the gateway', () => {
  for (const { name, packages, isInstalled, prepare, command, steps } of programs) {
    const title = isInstalled ? name : `${name} (not installed: ${packages})`
    it.skipIf(!isInstalled)(title, { timeout: 120_000 }, async ({ signal }) => {
      if (prepare !== undefined) expect(await runProgram(prepare, signal)).toMatchObject({ code: 0 })
      const run = (url: string) => runProgram([...command, url], signal)
      const [legacy, gateway] = await Promise.all([run(sides.legacy), run(sides.gateway)])
      expect(legacy.code, `on the legacy service: ${legacy.complaint}`).toBe(0)
      expect(gateway.code, `on the gateway: ${gateway.complaint}`).toBe(0)
      expect(gateway.lines.map((line) => line.split(': ')[0])).toEqual(steps)
      expect(gateway.lines).toEqual(legacy.lines)
    })
  }
})

import { readSettings } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { type TerminalColumn, terminalTable } from '../common/tables.ts'
import { mistakesInFiles } from './files-in-force.ts'
import { printable, printableJson, styleFor } from './printing.ts'
import { surroundingsOf } from './rollout-command.ts'

type Settings = ReturnType<typeof readSettings>
type Setting = Settings['settings'][number]

const WOULD_NOT_START = 2

/** `legacy-gateway config`: prints the settings with which `serve` would start, or every mistake in them. Returns the exit code. */
export async function showConfig({ json }: { readonly json?: true }): Promise<number> {
  const { settings, warnings, mistakes, config, files } = readSettings()
  const inFiles = mistakesInFiles(files, config && surroundingsOf(config))
  const all = [...mistakes, ...inFiles]
  if (json === true) process.stdout.write(`${printableJson({ settings, warnings, mistakes: all })}\n`)
  else if (all.length === 0) process.stdout.write(`${inWords(settings).map(printable).join('\n')}\n`)
  const style = styleFor(process.stderr)
  for (const warning of warnings) console.error(style('yellow', `Warning: ${printable(warning)}`))
  if (all.length === 0) return 0
  console.error(printableLines(new ConfigError(all).message))
  return WOULD_NOT_START
}

const COLUMNS: readonly TerminalColumn<Setting>[] = [
  { head: 'variable', cell: ({ name }) => name },
  { head: 'source', cell: ({ source }) => source },
  { head: 'value', cell: ({ value, note }) => [value, note].filter((text) => text !== null).join('; ') },
]

function inWords(settings: readonly Setting[]): readonly string[] {
  const unset = settings.filter(({ value, note }) => value === null && note === null)
  return [
    ...terminalTable(
      COLUMNS,
      settings.filter((setting) => !unset.includes(setting)),
    ),
    '',
    `Not set: ${unset.map(({ name }) => name).join(', ')}.`,
  ]
}

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

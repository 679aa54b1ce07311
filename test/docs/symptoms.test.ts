import { globSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandLine } from '../../src/cli/program.ts'
import type { PlanState } from '../../src/control-plane/cutover/position.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
/** All that the gateway can say, with its punctuation in one form. */
const said = [...globSync('src/**/*.ts'), 'mappings/messages/en.json', ...globSync('src/**/*.js')].map(read).join('\n')
/** The rows of a page's tables, without their heads. */
const rowsOf = (file: string): readonly (readonly string[])[] =>
  read(file)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
const codeIn = (text = ''): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
/** Texts between what varies, which must be in the code as they are. */
const pieces = (message: string): readonly string[] => message.split('…').map((piece) => piece.trim())

describe('docs/symptoms.md', () => {
  const rows = rowsOf('docs/symptoms.md')

  it('shows only messages that the gateway has', () => {
    expect(rows.length).toBeGreaterThan(30)
    const messages = rows.flatMap(([seen]) => codeIn(seen))
    expect(messages.filter((message) => !pieces(message).every((piece) => said.includes(piece)))).toEqual([])
  })

  it('advises only commands that exist, with options that they have', () => {
    const commands = rows.flatMap(([, , advice]) => codeIn(advice)).filter((code) => code.startsWith('legacy-gateway '))
    expect(commands.length).toBeGreaterThan(8)
    expect(commands.filter((command) => !isCommand(command.split(' ').slice(1)))).toEqual([])
  })
})

/** Whether there is such a command or subcommand, with all of these options. */
function isCommand(words: readonly string[], from: Command = commandLine()): boolean {
  const [word = '', ...others] = words
  const next = from.commands.find((command) => command.name() === word)
  if (next !== undefined) return isCommand(others, next)
  const options = words.filter((each) => each.startsWith('--'))
  return from.parent !== null && options.every((option) => from.options.some(({ long }) => long === option))
}

describe('docs/states.md', () => {
  /** Each state of a plan; the type makes sure that none is missing. */
  const states: Readonly<Record<PlanState, true>> = {
    ...{ waiting: true, running: true, 'awaiting approval': true, paused: true, stopped: true, done: true },
  }

  it('says of every state of a plan who answers, what is next, what is safe and how to go back', () => {
    const [, table = ''] = read('docs/states.md').split('\n## With a plan\n')
    const rows = table.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows.map((row) => codeIn(row)[0])).toEqual(Object.keys(states))
    for (const row of rows) expect(row.split(' | ')).toHaveLength(5)
  })
})

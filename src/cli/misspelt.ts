import type { Command } from 'commander'
import { didYouMean, similarTo } from '../common/similar.ts'
import type { Operation } from '../mapping/operation.ts'
import { printable } from './printing.ts'

/**
 * Ends the process with an error if a subcommand, an option or the id of an operation is misspelt where the command line would take it for
 * something else, or complain of something else: a word after a command that has a default subcommand, or an action of its own, counts as
 * its argument, and a required option that is misspelt as missing.
 * @param words the command line, without the program.
 */
export async function refuseMisspelt(program: Command, words: readonly string[]): Promise<void> {
  let command = program
  let at = 0
  for (let next: Command | undefined = program; next !== undefined; at++) {
    command = next
    next = command.commands.find((subcommand) => subcommand.name() === words[at])
  }
  if (command === program) return
  const [word, ...more] = words.slice(at - 1)
  await refuseOption(command, words.slice(at - 1))
  if (word === undefined || word.startsWith('-')) return
  const names = command.commands.map((subcommand) => subcommand.name())
  const takesOperation = ({ registeredArguments }: Command): boolean =>
    registeredArguments.some((argument) => argument.name() === 'operation')
  if (names.length > 0) {
    const operations = command.commands.some(takesOperation) ? await allOperations() : []
    const ids = operations.map(({ id }) => id)
    if (ids.includes(word) || word === 'help') return
    const [nearest = ''] = similarTo(word, [...names, ...ids])
    if (operations.length === 0 || names.includes(nearest) || (more.length > 0 && !ids.includes(nearest))) {
      command.error(`error: unknown command '${word}'; expected one of ${names.join(', ')}${didYouMean(word, names)}`)
    }
    refuseOperation(command, word, operations)
  } else if (takesOperation(command)) refuseOperation(command, word, await allOperations())
}

/**
 * Refuses an option that is similar to one of a command or of its subcommands, or that is a variable: `--port`. Shows no value: it may be a
 * secret.
 */
async function refuseOption(command: Command, words: readonly string[]): Promise<void> {
  const options = [command, ...command.commands].flatMap((each) => each.options)
  const names = [...options.flatMap(({ long }) => long ?? []), '--help']
  for (let at = 0; at < words.length && words[at] !== '--'; at++) {
    const [name = '', value] = (words[at] ?? '').split('=', 2)
    const known = options.find(({ long, short }) => name === long || name === short)
    // Its value may look like an option.
    if (known?.required === true && value === undefined) at++
    if (known !== undefined || !name.startsWith('--') || names.includes(name)) continue
    const meant = didYouMean(name, names) || (await variableMeant(name))
    if (meant !== '') command.error(`error: unknown option '${name}'${meant}`)
  }
}

/** Returns `; PORT is a variable of the environment` for `--port`, or nothing. */
async function variableMeant(option: string): Promise<string> {
  const { variables } = await import('../app/variables.ts')
  const name = option.slice(2).replaceAll('-', '_').toUpperCase()
  return Object.hasOwn(variables.shape, name) ? `; ${name} is a variable of the environment` : ''
}

/** A gateway may have operations that this program does not know, so only one that is similar to a known one is refused. */
function refuseOperation(command: Command, word: string, operations: readonly Named[]): void {
  const meant = operationMeant(word, operations)
  if (meant === '' || operations.some(({ id }) => id === word)) return
  command.error(`error: unknown operation '${word}'${meant}`)
}

type Named = Pick<Operation, 'id' | 'legacy'>

/** Returns `; did you mean invoice-list?` if a word is similar to an operation's id or path, or nothing. */
export function operationMeant(word: string, operations: readonly Named[]): string {
  const paths = operations.map(({ legacy }) => legacy.path)
  const [path = word] = word.startsWith('/')
    ? [word, ...similarTo(word, paths)].filter((each) => paths.includes(each))
    : []
  const ofPath = operations.find(({ legacy }) => legacy.path === path)
  if (ofPath !== undefined) return `; did you mean ${ofPath.id}?`
  return didYouMean(
    word,
    operations.map(({ id }) => id),
  )
}

/**
 * Returns what is wrong with the operations that an option names, one sentence each.
 * @param operations those that it may name.
 */
export const unknownOperations = (ids: readonly string[], operations: readonly Named[]): readonly string[] =>
  ids
    .filter((id) => !operations.some((operation) => operation.id === id))
    .map((id) => {
      const expected = operations.map((operation) => operation.id).join(', ')
      return `--operation must be one of ${expected}, and not ${printable(id)}${operationMeant(id, operations)}`
    })

const allOperations = async (): Promise<readonly Operation[]> => (await import('../../mappings/index.ts')).operations

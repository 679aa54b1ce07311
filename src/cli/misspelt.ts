import type { Command } from 'commander'
import { didYouMean, similarTo } from '../common/similar.ts'

/**
 * Ends the process with an error if a subcommand or the id of an operation is misspelt where the command line would take it for something
 * else: a word after a command that has a default subcommand, or an action of its own, counts as its argument.
 * @param words the command line, without the program.
 */
export async function refuseMisspelt(program: Command, words: readonly string[]): Promise<void> {
  let command = program
  let at = 0
  for (let next: Command | undefined = program; next !== undefined; at++) {
    command = next
    next = command.commands.find((subcommand) => subcommand.name() === words[at])
  }
  const [word, ...more] = words.slice(at - 1)
  if (word === undefined || word.startsWith('-') || command === program) return
  const names = command.commands.map((subcommand) => subcommand.name())
  const takesOperation = ({ registeredArguments }: Command): boolean =>
    registeredArguments.some((argument) => argument.name() === 'operation')
  if (names.length > 0) {
    const operations = command.commands.some(takesOperation) ? await idsOfOperations() : []
    if (operations.includes(word)) return
    const isCommand = similarTo(word, names).length > 0 || (operations.length > 0 && more.length > 0)
    if (isCommand) {
      command.error(`error: unknown command '${word}'; expected one of ${names.join(', ')}${didYouMean(word, names)}`)
    }
    refuseOperation(command, word, operations)
  } else if (takesOperation(command)) refuseOperation(command, word, await idsOfOperations())
}

/** A gateway may have operations that this program does not know, so only one that is similar to a known one is refused. */
function refuseOperation(command: Command, word: string, operations: readonly string[]): void {
  if (operations.includes(word) || similarTo(word, operations).length === 0) return
  command.error(`error: unknown operation '${word}'${didYouMean(word, operations)}`)
}

const idsOfOperations = async (): Promise<readonly string[]> =>
  (await import('../../mappings/index.ts')).operations.map(({ id }) => id)

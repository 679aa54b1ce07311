import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { didYouMean } from '../common/similar.ts'

const MAPPINGS = fileURLToPath(new URL('../../mappings/', import.meta.url))
/** A place in a file of the mappings, as stacks name it. */
const PLACE = /[/\\]mappings[/\\]([\w./\\-]+\.(?:ts|json))(?::(\d+))?/
/** The member that a line of a mapping states. */
const MEMBER = /^\s*'?([\w$.-]+)'?\s*:/

/**
 * Says in a sentence what is wrong in a file of the mappings that could not be loaded: file, line, member and operation. Undefined: the
 * error comes from elsewhere.
 */
export async function mappingMistake(error: unknown): Promise<string | undefined> {
  if (!(error instanceof Error)) return undefined
  const isMissing = 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  const [, wanted = '', importer = ''] = /Cannot find module '(.+)' imported from (.+)$/.exec(error.message) ?? []
  const place = isMissing ? importer : firstPlace(error)
  const [, file, line] = PLACE.exec(place) ?? []
  if (file === undefined) return undefined
  const what = isMissing
    ? `it imports ${PLACE.exec(wanted)?.[0].slice(1) ?? basename(wanted)}, which does not exist`
    : await whatOf(error)
  const source = line === undefined ? '' : (linesOf(file)[Number(line) - 1] ?? '')
  const [, member] = MEMBER.exec(source) ?? []
  const where = [
    `mappings/${file}`,
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(member === undefined ? [] : [`member ${member}`]),
    ...usersOf(file),
  ]
  return `${where.join(', ')}: ${what}`
}

/** Only errors of loading begin in the mappings: those of running code have other files above them. */
function firstPlace({ message, stack = '' }: Error): string {
  const [head = ''] = stack.split('\n')
  if (PLACE.test(head)) return head
  if (PLACE.test(message)) return message
  const frames = stack.split('\n').filter((frame) => /^\s+at /.test(frame) && !frame.includes('node:'))
  // A constructor may have thrown; the mapping called it.
  return frames.find((frame) => PLACE.test(frame)) ?? ''
}

async function whatOf({ message, name }: Error): Promise<string> {
  const [, unknown] = /^(\w+) is not (?:defined|a function)$/.exec(message) ?? []
  if (unknown !== undefined) {
    return `${unknown} is neither imported nor a constructor${didYouMean(unknown, await constructors())}`
  }
  const [, from, lacking = ''] = /module '(.+)' does not provide an export named '(.+)'/.exec(message) ?? []
  if (lacking === 'default') return `${from} exports no operation: write export default operation(…)`
  if (from !== undefined) return `${from} has no ${lacking}${didYouMean(lacking, await constructors())}`
  // The reason without the path of the file.
  const reason = message.replace(/^\S+\.json: /, '').split('\n')[0] ?? ''
  return name === 'SyntaxError' ? `it cannot be read: ${reason.replace(/[.\s]*Expected \.\.\..*/, '')}` : reason
}

async function constructors(): Promise<readonly string[]> {
  const modules = await Promise.all([
    import('../mapping/shape.ts'),
    import('../mapping/operation.ts'),
    import('../mapping/request.ts'),
    import('../mapping/reader.ts'),
    import('../mapping/converter.ts'),
    import('../mapping/conversions.ts'),
  ])
  return modules.flatMap((module) => Object.keys(module))
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(`${MAPPINGS}${file}`, 'utf8').split('\n')
  } catch {
    return []
  }
}

/** Names the operations that use a file of shapes, or the one that a file states. */
function usersOf(file: string): readonly string[] {
  if (!file.endsWith('.ts') || file === 'index.ts') return []
  if (!file.includes('/')) return [`operation ${file.slice(0, -3)}`]
  const users = readdirSync(MAPPINGS)
    .filter((other) => other.endsWith('.ts') && linesOf(other).some((text) => text.includes(`'./${file}'`)))
    .map((other) => other.slice(0, -3))
  return users.length === 0 ? [] : [`operation ${users.join(' and ')}`]
}

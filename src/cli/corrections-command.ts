import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operations } from '../../mappings/index.ts'
import { type TerminalColumn, terminalTable } from '../common/tables.ts'
import { compileOperations } from '../engine/compile/compile-operations.ts'
import { type Change, changesOf, correct } from '../mapping/corrections/correct.ts'
import type { Corrections, OperationCorrections } from '../mapping/corrections/corrections.ts'
import { lineInWords } from '../mapping/corrections/line-in-words.ts'
import { parseCorrections } from '../mapping/corrections/parse-corrections.ts'
import { type SourceSection, sourceSections } from '../mapping/corrections/source-sections.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'
import { orMistakes, textOf } from './checked-file.ts'
import { printable } from './printing.ts'

/** `legacy-gateway mappings check FILE`: prints what each line of the file changes. Returns the exit code. */
export const checkMappings = (file: string): Promise<number> =>
  orMistakes(async () => {
    const corrections = parseCorrections(textOf(file))
    readCorrected(corrections)
    const changes = changesOf(operations, corrections)
    print(changes.length === 0 ? ['The file corrects nothing.'] : describeChanges(changes, corrections))
  })

/** `legacy-gateway mappings source FILE`: prints the corrections as lines of the mapping files. Returns the exit code. */
export const printSource = (file: string): Promise<number> =>
  orMistakes(async () => {
    const corrected = readCorrected(parseCorrections(textOf(file)))
    const sections = operations.flatMap((operation, index) =>
      sourceSections(operation, corrected[index] as Operation).flatMap((section) => [
        ...describeSection(operation, section),
        '',
      ]),
    )
    print(sections.length === 0 ? ['// The file corrects nothing.'] : sections.slice(0, -1))
  })

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.map(printable).join('\n')}\n`)
}

/** Corrects the mappings, and checks that they still can be used. Throws CorrectionsError or MappingError. */
function readCorrected(corrections: Corrections): readonly Operation[] {
  const corrected = correct(operations, corrections)
  compileOperations(corrected)
  return corrected
}

const COLUMNS: readonly TerminalColumn<Change>[] = [
  { head: 'legacy', cell: ({ part, path }) => (part === 'response' ? path : `request ${path}`) },
  { head: 'v1', cell: ({ line, part }) => lineInWords(line, part) },
  { head: 'instead of', cell: ({ replaces }) => replaces ?? 'no line of the mapping' },
]

function describeChanges(changes: readonly Change[], corrections: Corrections): readonly string[] {
  const groups = [...Map.groupBy(changes, ({ operation }) => operation)]
  return groups.flatMap(([id, lines], index) => [
    ...(index === 0 ? [] : ['']),
    `${id}: ${sayWhy(lines.length, corrections.operations[id])}`,
    ...terminalTable(COLUMNS, lines).map((line) => `  ${line}`),
  ])
}

const sayWhy = (count: number, { why, by }: OperationCorrections = {}): string =>
  `${count} ${count === 1 ? 'line' : 'lines'}${why === undefined ? '' : `: ${why}`}${by === undefined ? '' : ` (${by})`}`

function describeSection(operation: Operation, section: SourceSection): readonly string[] {
  const { shape, part, at, lines, v1Only, removed, remarks } = section
  const where =
    shape === undefined
      ? `mappings/${operation.id}.ts, request`
      : `${fileOf(shape, operation)}, shape ${JSON.stringify(shape.name)}`
  const member = `${operation.id}, ${part === 'response' ? 'answer' : 'request'}${at === '' ? '' : ` ${at}`}`
  const shared = shape === undefined ? [] : otherUsers(shape, operation, at)
  return [
    `// ${where}: ${member}`,
    ...shared.map(
      (user) => `// The same shape is used by ${user}: give this one a shape of its own, unless it is to change too.`,
    ),
    ...removed.map((key) => `// remove: ${key}`),
    ...lines,
    ...(v1Only.length === 0 ? [] : ['// v1Only:', ...v1Only]),
    ...remarks.map((remark) => `// ${remark}`),
  ]
}

const MAPPINGS = fileURLToPath(new URL('../../mappings/', import.meta.url))

/** Names the file of the mappings that states a shape. */
function fileOf({ name }: Shape, { id }: Operation): string {
  const statement = withoutSpaces(`shape('${name}'`)
  const files = readdirSync(MAPPINGS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const file = files.find((one) => withoutSpaces(readFileSync(`${MAPPINGS}${one}`, 'utf8')).includes(statement))
  return `mappings/${file ?? `${id}.ts`}`
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '')

/** Names the other members that have a shape, as `operation, path`. */
function otherUsers(shape: Shape, operation: Operation, at: string): readonly string[] {
  const users: string[] = []
  const walk = (id: string, within: Shape, path: string): void => {
    if (within === shape && !(id === operation.id && path === at)) users.push(`${id}${path === '' ? '' : `, ${path}`}`)
    for (const [member, rule] of Object.entries(within.rules)) {
      if (rule.kind !== 'field' || !('shape' in rule.value)) continue
      const inner = path === '' ? member : `${path}.${member}`
      walk(id, rule.value.shape, rule.value.kind === 'list' ? `${inner}[]` : inner)
    }
  }
  for (const { id, request, response } of operations) {
    if (request.kind === 'body') walk(`${id}, request`, request.shape, '')
    if (response.kind === 'page') {
      walk(id, response.rows.shape, `${response.rows.at}[]`)
      walk(id, response.meta.shape, response.meta.at)
    } else if ('shape' in response) walk(id, response.shape, response.kind === 'record' ? '' : '[]')
  }
  return users
}

import { count } from '../../common/figures.ts'
import type { SnippetLanguage } from '../../exchange/guide-form.ts'
import { block, code, inline, plain } from '../markdown.ts'
import type { ClientGuide, OperationGuide } from './client-guide.ts'
import { linkTo, titleOf } from './common-changes.ts'
import { type ChangeLine, madeOf, nextOf, partsOf, removal, useOf, valuesOf } from './guide-words.ts'

/** Writes a guide as CommonMark. @param language of the programs. */
export function guideMarkdown(guide: ClientGuide, language: SnippetLanguage): string {
  const { client, v1, summary, common, operations, checklist } = guide
  const whole = operations.find((operation) => programOf(operation, language) !== undefined)
  return [
    `# Migration guide: ${plain(client)}`,
    `${inline(summary.inShort)} ${plain(removal(guide))}${v1 === null ? '' : ` v1: ${code(v1)}.`}`,
    ...(summary.first.length === 0 ? [] : ['Work first on:', bullets(summary.first)]),
    ...summary.others.map(inline),
    plain(madeOf(guide)),
    '## Steps',
    checklist.map((text, at) => `${at + 1}. ${inline(text)}`).join('\n'),
    ...(common.length === 0 ? [] : ['## For all calls']),
    ...common.flatMap(({ title, says }) => [`### ${title}`, says.map(inline).join(' ')]),
    ...operations.flatMap((operation) => operationMarkdown(operation, language, whole)),
    '',
  ].join('\n\n')
}

const bullets = (texts: readonly string[]): string => texts.map((text) => `- ${inline(text)}`).join('\n')

/** @param whole the operation whose program is shown whole. */
function operationMarkdown(
  guide: OperationGuide,
  language: SnippetLanguage,
  whole: OperationGuide | undefined,
): readonly string[] {
  const { operation, says, legacy, after } = guide
  return [
    `## ${plain(operation)}`,
    `${after.length === 0 ? `${code(`${legacy.method} ${legacy.path}`)}: ` : ''}${plain(useOf(guide))} ${plain(says)}`,
    ...beforeMarkdown(guide),
    ...programMarkdown(guide, language, whole),
    ...nextOf(guide).map(inline),
    ...partsOf(guide).flatMap(([heading, lines]) =>
      lines.length === 0 ? [] : [`${heading}:`, lines.map((line) => `- ${lineMarkdown(line)}`).join('\n')],
    ),
  ]
}

const programOf = ({ after }: OperationGuide, language: SnippetLanguage): string | undefined =>
  after[0]?.snippets.find((snippet) => snippet.language === language)?.code

/** Programs that share fewer lines are all shown whole, so that they can be copied. */
const LEAST_SHARED = 10

/** Shows a program. Of the lines with which it begins and ends like the one that is shown whole, only those that differ. */
function programMarkdown(
  guide: OperationGuide,
  language: SnippetLanguage,
  whole: OperationGuide | undefined,
): readonly string[] {
  const program = programOf(guide, language)
  if (program === undefined || whole === undefined) return []
  const shown = guide === whole ? program : linesBeside(program, programOf(whole, language) ?? '')
  const rest = shown === program ? '' : inline(` (the other lines as in ${linkTo(whole.operation)})`)
  return [`At v1${rest}:`, block(FENCES[language], shown)]
}

/** Returns a program without its first and last lines that another one has too. */
function linesBeside(program: string, other: string): string {
  const [lines, others] = [program.split('\n'), other.split('\n')]
  const most = Math.min(lines.length, others.length) - 1
  let [begin, end] = [0, 0]
  while (begin < most && lines[begin] === others[begin]) begin++
  while (begin + end < most && lines.at(-1 - end) === others.at(-1 - end)) end++
  return begin + end < LEAST_SHARED ? program : lines.slice(begin, lines.length - end).join('\n')
}

const FENCES = { curl: 'sh', TypeScript: 'ts', PHP: 'php', Python: 'python', Java: 'java' } as const

/** Shows the legacy call. What v1's body has too is shown only there. */
function beforeMarkdown(guide: OperationGuide): readonly string[] {
  const { before, after } = guide
  if (before === undefined) return []
  const { method, url, body } = before
  const how = `Before (${plain(valuesOf(guide))}): ${code(`${method} ${url}`)}`
  if (body === undefined) return [how]
  if (body === after[0]?.body) return [`${how}, with the same body as at v1`]
  const own = ownMembers(body, after[0]?.body ?? '')
  return [own === body ? how : `${how}, whose body differs from v1’s in`, block('json', own)]
}

/** Returns the members of an indented body that v1's body does not have, or has with another value. */
function ownMembers(body: string, v1: string): string {
  const membersIn = (text: string): readonly string[] => text.replace(/\n\}$/, '').split(/,?\n(?= {2}")/)
  const [open, ...members] = membersIn(body)
  const atV1 = membersIn(v1)
  const own = members.filter((member) => !atV1.includes(member))
  return own.length === 0 ? body : `${open}\n${own.join(',\n')}\n}`
}

function lineMarkdown({ places, says, why, topic }: ChangeLine): string {
  const link = topic === undefined ? '' : inline(linkTo(topic, titleOf(topic)))
  const texts = [plain(says), link, plain(why)].filter((text) => text !== '')
  return `${places.map(placesMarkdown).join(', ')}${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`
}

const placesMarkdown = ({ legacy, v1, calls }: ChangeLine['places'][number]): string =>
  `${[legacy, v1].flatMap((place) => (place === null ? [] : [place === '' ? '(body)' : code(place)])).join(' → ')}${calls === undefined ? '' : ` (${count(calls)})`}`

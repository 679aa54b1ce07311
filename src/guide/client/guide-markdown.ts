import { basisInWords, changeInWords } from '../lines/explained-line.ts'
import { block, code, inline, plain, table } from '../markdown.ts'
import type { Change, ClientGuide, OperationGuide } from './client-guide.ts'
import { callsOf, HEAD, httpOf, madeOf, partsOf, removal, useOf, valuesOf } from './guide-words.ts'

/** Writes a guide as CommonMark, with GitHub's tables. */
export function guideMarkdown(guide: ClientGuide): string {
  const { client, v1, general, operations, checklist } = guide
  return [
    `# Migration guide: ${plain(client)}`,
    plain(madeOf(guide)),
    `${plain(removal(guide))}${v1 === null ? '' : ` v1: ${code(v1)}.`}`,
    '## What to do',
    checklist.map((text, at) => `${at + 1}. ${inline(text)}`).join('\n'),
    ...(general.length === 0 ? [] : ['## For all calls', general.map((text) => `- ${inline(text)}`).join('\n')]),
    ...operations.flatMap(operationMarkdown),
    '',
  ].join('\n\n')
}

function operationMarkdown(guide: OperationGuide): readonly string[] {
  const { operation, says, before, after, then } = guide
  return [
    `## ${plain(operation)}`,
    `${plain(says)} ${plain(useOf(guide))}`,
    ...(before === undefined ? [] : ['### Before', plain(valuesOf(guide)), block('http', httpOf(before))]),
    ...(after.length === 0 ? [] : ['### At v1', ...after.map((call) => block('http', httpOf(call)))]),
    ...(then === undefined ? [] : [plain(then)]),
    ...snippetsMarkdown(after[0]),
    ...partsOf(guide).flatMap(([heading, changes]) =>
      changes.length === 0 ? [] : [`### ${heading}`, ...table(HEAD, changes.map(rowOf))],
    ),
  ]
}

/** Further calls differ from the first only in their page. */
const snippetsMarkdown = (call: OperationGuide['after'][number] | undefined): readonly string[] =>
  (call?.snippets ?? []).flatMap(({ language, library, code: program }) => [
    `#### ${plain(library === language ? language : `${language}, ${library}`)}`,
    block(FENCES[language], program),
  ])

const FENCES = { curl: 'sh', TypeScript: 'ts', PHP: 'php', Python: 'python', Java: 'java' } as const

const rowOf = (change: Change): readonly string[] => [
  placeOf(change.legacy),
  placeOf(change.v1),
  plain(changeInWords(change)),
  plain(basisInWords(change)),
  callsOf(change),
]

const placeOf = (place: string | null): string => (place === null ? '–' : place === '' ? '(body)' : code(place))

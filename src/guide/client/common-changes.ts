import { timestampConverter } from '../../mapping/converter.ts'
import type { CommonPart, GuideFacts, OperationGuide, Topic, Used } from './client-guide.ts'
import { countOf, errorsIn, hasSucceeded } from './used-operation.ts'

/** Stands for v1 while its address is not known (RFC 2606). */
export const UNKNOWN_V1 = new URL('https://v1.example')

/** What is said once for all operations, in this order. */
const TITLES: Readonly<Record<Topic, string>> = {
  reading: 'How to read this',
  tokens: 'Tokens',
  answers: 'Answers',
  timestamps: 'Timestamps',
  pages: 'Pages',
  errors: 'Errors',
  programs: 'Programs',
}

/** The title of what is said once. */
export const titleOf = (topic: Topic): string => TITLES[topic]

/** Refers to a part of the guide. */
export const linkTo = (id: string, text = id): string => `[${text}](#${id})`

/** Says what changes for all calls, as far as it concerns the client. Code is between backticks, and links are as in Markdown. */
export function commonChanges(
  all: readonly Used[],
  guides: readonly OperationGuide[],
  { v1 }: Pick<GuideFacts, 'v1'>,
): readonly CommonPart[] {
  const atV1 = all.filter(({ operation }) => operation.mapping.v1 !== undefined)
  if (atV1.length === 0) return []
  const says: Readonly<Record<Topic, readonly string[]>> = {
    reading: reading(guides, v1),
    tokens: tokens(atV1),
    answers: answers(atV1),
    timestamps: timestamps(guides),
    pages: pages(atV1),
    errors: errors(atV1, guides),
    programs: programs(guides),
  }
  return (Object.keys(TITLES) as readonly Topic[])
    .map((topic) => ({ topic, title: TITLES[topic], says: says[topic] }))
    .filter((part) => part.says.length > 0)
}

function reading(guides: readonly OperationGuide[], v1: URL | undefined): readonly string[] {
  return [
    ...(v1 === undefined
      ? [`This gateway does not know the public address of v1: \`${UNKNOWN_V1.origin}\` stands for it here.`]
      : []),
    'A change is documented unless it says otherwise. A number after it says how many calls showed it, unless all that were examined did.',
    ...(guides.some(({ isOwnCall }) => isOwnCall)
      ? [
          'Your typical call is the last of those with the most frequent members. “3 of 5” says: of 5 successful calls that this gateway has examined since it started, at least 3 sent these members.',
        ]
      : []),
    ...(guides.some(({ hasPlaceholders }) => hasPlaceholders)
      ? [
          'Placeholders such as `<first name>` and `name@example.com` stand for personal values and credentials in your calls.',
        ]
      : []),
  ]
}

function tokens(atV1: readonly Used[]): readonly string[] {
  const none = atV1.filter(
    ({ operation: { mapping } }) => mapping.authorization === 'none' && mapping.login === undefined,
  )
  const paths = none.map(({ operation: { mapping } }) => `\`${mapping.v1?.method} ${mapping.v1?.path}\``)
  const needsToken = atV1.some(({ operation }) => operation.mapping.authorization === 'token')
  return [
    ...(needsToken
      ? [
          'v1 has its own tokens: send one as `Authorization: Bearer <ACCESS_TOKEN>`. Your client id and secret key stay the same.',
        ]
      : []),
    ...(paths.length === 0 ? [] : [`v1 needs no token for ${paths.join(', ')}.`]),
  ]
}

/** docs/contract.md 8.1. */
function answers(atV1: readonly Used[]): readonly string[] {
  const kinds = new Set(
    atV1.filter(({ used }) => hasSucceeded(used.seen)).map(({ operation }) => operation.mapping.response.kind),
  )
  const inside = [
    ...(kinds.has('record') ? ['a record is in `data`'] : []),
    ...(kinds.has('list') || kinds.has('whole-list') || kinds.has('page') ? ['a list is in `items`'] : []),
    ...(kinds.has('whole-list') || kinds.has('page') ? ['the count of its pages is in `meta.pageCount`'] : []),
  ]
  if (kinds.size === 0) return []
  const list = inside.length === 0 ? '' : `; ${inside.join(', ')}`
  return [`Every success has the members \`success\` and \`message\`${list}.`]
}

/** docs/contract.md 8.4. */
function timestamps(guides: readonly OperationGuide[]): readonly string[] {
  if (!guides.some(({ answer }) => answer.some(({ topic }) => topic === 'timestamps'))) return []
  const { says, samples } = timestampConverter
  const examples = samples.map(({ legacy, v1 }) => `: \`${legacy}\` becomes \`${v1}\``)
  return [`${says}${examples.slice(0, 1).join('')}.`]
}

function pages(atV1: readonly Used[]): readonly string[] {
  const mappings = atV1.map(({ operation }) => operation.mapping)
  const linksTo = (kind: string): string =>
    mappings.flatMap(({ id, response }) => (response.kind === kind ? [linkTo(id)] : [])).join(', ')
  const [paging] = mappings.flatMap(({ response }) => (response.kind === 'whole-list' ? [response.paging] : []))
  return [
    ...(paging === undefined
      ? []
      : [
          `Read every page of ${linksTo('whole-list')}: \`${paging.perPage}=${paging.mostPerPage}\`, v1’s maximum, and \`${paging.page}\` from 1 to \`meta.pageCount\`. Legacy returned the whole list at once.`,
        ]),
    ...(linksTo('page') === ''
      ? []
      : [`Read every page of ${linksTo('page')} that you need: the last one is \`meta.pageCount\`.`]),
  ]
}

/** docs/contract.md 9. */
function errors(atV1: readonly Used[], guides: readonly OperationGuide[]): readonly string[] {
  const failing = atV1.filter(({ used }) => errorsIn(used.seen).length > 0)
  if (failing.length === 0) return []
  const inEnglish = failing.some(({ used }) => countOf(used.seen.languages, 'en') > 0)
  const ofMembers = guides.some((guide) => guide.errors.some(({ change }) => change === 'violation'))
  return [
    'The body of an error is `{success: false, code, message, errors?}`. Go by the status and `code`, not by `message`.',
    ...(guides.some((guide) => guide.errors.some(({ v1 }) => v1?.startsWith('422') === true))
      ? ['With 422, `errors[]` names the members, with only the first error of each.']
      : []),
    ...(ofMembers ? ['Legacy named them in `violations[].propertyPath`, v1 names them in `errors[].path`.'] : []),
    ...(inEnglish ? ['You ask for English, but v1’s messages are Turkish, except those of validation.'] : []),
  ]
}

/** Says what the programs need in order to run: docs/clients.md "Snippets". */
function programs(guides: readonly OperationGuide[]): readonly string[] {
  const calls = guides.flatMap(({ after }) => after.slice(0, 1)).filter(({ snippets }) => snippets.length > 0)
  if (calls.length === 0) return []
  const variables = calls.flatMap(({ headers, body = '' }) => [
    ...('Authorization' in headers ? ['V1_TOKEN'] : []),
    ...Array.from(body.matchAll(/"<([A-Z_]+)>"/g), ([, name]) => name),
  ])
  const names = [...new Set(variables)].map((name) => `\`${name}\``).join(', ')
  return [
    `The programs send real requests to v1: one for a write creates something.${names === '' ? '' : ` Set these variables in their environment: ${names}.`} PHP needs \`guzzlehttp/guzzle\`, Python \`requests\`; save the Java program as \`CallV1.java\`.`,
  ]
}

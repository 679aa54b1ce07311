import type { OperationGuide } from './client-guide.ts'
import { type GuideFacts, UNKNOWN_V1, type Used } from './guide-facts.ts'
import { countOf, errorsIn, hasSucceeded } from './used-operation.ts'

/** Says in sentences what changes for all calls, as far as it concerns the client. Code is between backticks. */
export function generalChanges(
  all: readonly Used[],
  guides: readonly OperationGuide[],
  { v1 }: Pick<GuideFacts, 'v1'>,
): readonly string[] {
  const atV1 = all.filter(({ operation }) => operation.mapping.v1 !== undefined)
  return [
    ...(v1 === undefined && atV1.length > 0
      ? [`This gateway does not know the public address of v1: \`${UNKNOWN_V1.origin}\` stands for it here.`]
      : []),
    ...tokens(atV1),
    ...envelopes(atV1),
    ...errors(atV1),
    ...programs(guides),
    ...(guides.some(({ hasPlaceholders }) => hasPlaceholders)
      ? [
          'Placeholders such as `<first name>` and `name@example.com` stand for personal values and credentials in your calls.',
        ]
      : []),
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
    `The programs send real requests to v1.${names === '' ? '' : ` Set these variables in their environment: ${names}.`} PHP needs \`guzzlehttp/guzzle\`, Python \`requests\`; save the Java program as \`CallV1.java\`.`,
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
function envelopes(atV1: readonly Used[]): readonly string[] {
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

/** docs/contract.md 9. */
function errors(atV1: readonly Used[]): readonly string[] {
  const failing = atV1.filter(({ used }) => errorsIn(used.seen).length > 0)
  if (failing.length === 0) return []
  const inEnglish = failing.some(({ used }) => countOf(used.seen.languages, 'en') > 0)
  return [
    'The body of an error is `{success: false, code, message, errors?}`. Go by `code`, not by `message`.',
    ...(inEnglish ? ['You ask for English, but v1’s messages are Turkish, except those of validation.'] : []),
  ]
}

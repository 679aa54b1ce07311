import { count } from '../../common/figures.ts'
import { dayOf } from '../../common/time.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { GuideFacts, OperationGuide, Used } from './client-guide.ts'
import { countOf, errorsIn, hasSucceeded } from './used-operation.ts'

/** Stands for v1 while its address is not known (RFC 2606). */
export const UNKNOWN_V1 = new URL('https://v1.example')

interface ChecklistFacts {
  /** ISO 8601; null: not announced. */
  readonly sunset: string | null
  /** The address of v1, without a trailing slash. */
  readonly v1: string
  readonly all: readonly CompiledOperation[]
  /** How many calls the client made to paths that no mapping has. */
  readonly unmapped: number
}

/** Lists what the client has to do, in order. Code is between backticks. */
export function checklistOf(
  used: readonly Used[],
  guides: readonly OperationGuide[],
  { sunset, v1, all, unmapped }: ChecklistFacts,
): readonly string[] {
  const isAtV1 = guides.some((guide) => guide.v1 !== null)
  const needsToken = used.some(
    ({ operation: { mapping } }) => mapping.v1 !== undefined && mapping.authorization === 'token',
  )
  const isLogin = (id: string): boolean => all.some(({ mapping }) => mapping.id === id && mapping.login !== undefined)
  const login = guides.find(({ operation }) => isLogin(operation))
  const when = sunset === null ? 'before the legacy interface is removed' : `before ${dayOf(sunset)}`
  return [
    ...(needsToken ? obtainToken(all, v1, login?.operation) : []),
    ...guides
      .filter(({ operation, ...guide }) => guide.v1 !== null && !(needsToken && isLogin(operation)))
      .map(replaceCall),
    ...guides
      .filter((guide) => guide.v1 === null)
      .map(({ legacy }) => `Find a replacement for ${route(legacy)} ${when}: v1 has no equivalent.`),
    ...(unmapped === 0 ? [] : [findUnmapped(unmapped, when)]),
    ...handleErrors(guides),
    ...readPages(used),
    ...(isAtV1 ? ['Test each of these calls against v1.'] : []),
    `Tell us once you no longer call the legacy interface. ${sunset === null ? 'The date of its removal has not been announced.' : `Its removal is announced for ${dayOf(sunset)}.`}`,
  ]
}

type Route = OperationGuide['legacy']
const route = ({ method, path }: Route): string => `\`${method} ${path}\``

function obtainToken(all: readonly CompiledOperation[], root: string, see?: string): readonly string[] {
  const login = all.find(({ mapping }) => mapping.login !== undefined)?.mapping
  if (login?.v1 === undefined || login.login === undefined) return []
  const { method, path } = login.v1
  const { token } = login.login
  return [
    `Obtain a v1 token at \`${method} ${root}${path}\` with your client id and secret key; it is in \`data.${token}\`${see === undefined ? '' : `: see ${see}`}.`,
  ]
}

const replaceCall = ({ legacy, v1, operation }: OperationGuide): string =>
  `Replace ${route(legacy)} with ${route(v1 as Route)}: see ${operation}.`

const findUnmapped = (calls: number, when: string): string =>
  `Find ${calls === 1 ? 'the call' : `the ${count(calls)} calls`} that you made to other paths, and replace or drop ${calls === 1 ? 'it' : 'them'} ${when}: v1 has no known equivalent, and the paths were not kept.`

function handleErrors(guides: readonly OperationGuide[]): readonly string[] {
  const changed = guides.flatMap(({ errors }) => errors.filter(({ change }) => change === 'status'))
  const pairs = new Set(changed.map(({ legacy, v1 }) => `\`${v1}\` (was \`${legacy}\`)`))
  return pairs.size === 0 ? [] : [`Handle the errors that you will get from v1: ${[...pairs].join(', ')}.`]
}

function readPages(used: readonly Used[]): readonly string[] {
  const mappings = used.flatMap(({ operation: { mapping } }) => (mapping.v1 === undefined ? [] : [mapping]))
  const pathsOf = (kind: string): string =>
    mappings.flatMap(({ response, v1 }) => (response.kind === kind && v1 ? [route(v1)] : [])).join(', ')
  const [paging] = mappings.flatMap(({ response }) => (response.kind === 'whole-list' ? [response.paging] : []))
  return [
    ...(paging === undefined
      ? []
      : [
          `Read every page of ${pathsOf('whole-list')}: \`${paging.perPage}=${paging.mostPerPage}\` and \`${paging.page}\` from 1 to \`meta.pageCount\`. Legacy returned the whole list at once.`,
        ]),
    ...(pathsOf('page') === ''
      ? []
      : [`Read every page of ${pathsOf('page')} that you need: the last one is \`meta.pageCount\`.`]),
  ]
}

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

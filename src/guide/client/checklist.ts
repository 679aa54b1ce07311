import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { count } from '../../look/figures.ts'
import type { OperationGuide } from './client-guide.ts'
import type { Used } from './guide-facts.ts'

export interface ChecklistFacts {
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
  const when = sunset === null ? 'before the legacy interface is removed' : `before ${sunset.slice(0, 10)}`
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
    `Tell us once you no longer call the legacy interface. ${sunset === null ? 'The date of its removal has not been announced.' : `Its removal is announced for ${sunset.slice(0, 10)}.`}`,
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

import { count } from '../../common/figures.ts'
import { dayOf } from '../../common/time.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { OperationGuide, Used } from './client-guide.ts'
import { linkTo } from './common-changes.ts'

interface ChecklistFacts {
  /** ISO 8601; null: not announced. */
  readonly sunset: string | null
  /** The address of v1, without a trailing slash. */
  readonly v1: string
  readonly all: readonly CompiledOperation[]
  /** How many calls the client made to paths that no mapping has. */
  readonly unmapped: number
}

/** Lists what the client has to do, in order. Code is between backticks, and links are as in Markdown. */
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
      .map(
        ({ legacy, operation }) =>
          `Find a replacement for ${route(legacy)} ${when}: v1 has no equivalent, see ${linkTo(operation)}.`,
      ),
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
    `Obtain a v1 token at \`${method} ${root}${path}\` with your client id and secret key; it is in \`data.${token}\`${see === undefined ? '' : `: see ${linkTo(see)}`}.`,
  ]
}

const replaceCall = ({ legacy, v1, operation }: OperationGuide): string =>
  `Replace ${route(legacy)} with ${route(v1 as Route)}: see ${linkTo(operation)}.`

const findUnmapped = (calls: number, when: string): string =>
  `Find ${calls === 1 ? 'the call' : `the ${count(calls)} calls`} that you made to other paths, and replace or drop ${calls === 1 ? 'it' : 'them'} ${when}: v1 has no known equivalent, and the paths were not kept with your calls.`

function handleErrors(guides: readonly OperationGuide[]): readonly string[] {
  const changed = guides.flatMap(({ errors }) => errors.filter(({ change }) => change === 'status'))
  const pairs = new Set(changed.map(({ legacy, v1 }) => `\`${v1}\` (was \`${legacy}\`)`))
  return pairs.size === 0
    ? []
    : [`Handle the errors that you will get from v1: ${[...pairs].join(', ')}. See ${linkTo('errors', 'Errors')}.`]
}

function readPages(used: readonly Used[]): readonly string[] {
  const read = used.some(
    ({ operation: { mapping } }) =>
      mapping.v1 !== undefined && (mapping.response.kind === 'whole-list' || mapping.response.kind === 'page'),
  )
  return read ? [`Read the pages of v1’s lists: see ${linkTo('pages', 'Pages')}.`] : []
}

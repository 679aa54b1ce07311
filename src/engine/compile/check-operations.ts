import type { Operation } from '../../mapping/operation.ts'
import { parametersOf } from '../../mapping/operation.ts'
import { isZone, positiveId } from '../../mapping/reader.ts'
import { isFilled, type Shape } from '../../mapping/shape.ts'
import { checkConverter } from './check-converter.ts'
import { checkShape, type ShapePart } from './check-shape.ts'
import { pathTree, plant, segmentsOf } from './shape-lines.ts'

/** Finds the mistakes of all operations. Each line names the mapping's file and the field. Empty if there are none. */
export function checkOperations(operations: readonly Operation[]): readonly string[] {
  const lists = new Set(operations.flatMap(({ id, response }) => (response.kind === 'whole-list' ? [id] : [])))
  return [
    ...operations.flatMap((operation) =>
      [
        ...checkRoutes(operation),
        ...checkRequest(operation),
        ...shapesOf(operation).flatMap(([field, shape]) => [
          ...checkShape(shape, field).map((problem) => `${field}: ${problem}`),
          ...referencesOf(shape)
            .filter((list) => !lists.has(list))
            .map((list) => `${field}: ${shape.name} is filled from ${list}, which is not a whole list`),
          ...(isRewrittenAlone(operation, field)
            ? filledIn(shape).map((member) => `${field}: ${member}: ${NULL_IN_EVERY_ROW}`)
            : []),
        ]),
        ...(operation.login !== undefined && operation.response.kind !== 'record'
          ? ['login: only a record can hold the token']
          : []),
        ...Object.entries(operation.errors ?? {})
          .filter(([, { reason }]) => reason.trim() === '')
          .map(([code]) => `errors, ${code}: an exception needs a reason`),
      ].map((problem) => `mappings/${operation.id}: ${problem}`),
    ),
    ...checkTwice(operations, 'id', ({ id }) => id),
    ...checkTwice(operations, 'legacy', ({ legacy }) => `${legacy.method} ${legacy.path}`),
  ]
}

function checkRoutes({ says, legacy, v1, effect, request, response }: Operation): readonly string[] {
  const problems: string[] = []
  if (says.trim() === '') problems.push('says: write a sentence for people who migrate a client')
  if (!['read', 'calculation', 'write'].includes(effect))
    problems.push(`effect: ${effect} must be read, calculation or write`)
  for (const [side, route] of Object.entries({ legacy, v1 })) {
    if (route !== undefined && !route.path.startsWith('/')) problems.push(`${side}: the path must start with a slash`)
  }
  if (legacy.path.includes('{')) problems.push('legacy: a legacy path cannot have parameters')
  const passes = request.kind === 'pass-through' && response.kind === 'pass-through'
  if (passes !== (v1 === undefined)) problems.push('v1: an operation passes through exactly when v1 has no equivalent')
  if (v1?.method === 'GET' && request.kind === 'body') problems.push('request: a GET of v1 cannot have a body')
  return problems
}

function checkRequest({ request, response, v1 }: Operation): readonly string[] {
  const problems: string[] = []
  const parameters = Object.entries(parametersOf(request))
  const sentIn = (place: string): readonly string[] =>
    parameters.flatMap(([legacy, parameter]) => (parameter.in === place ? [parameter.v1 ?? legacy] : []))
  const placeholders = [...(v1?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  for (const name of placeholders) if (!sentIn('path').includes(name)) problems.push(`v1: nothing fills {${name}}`)
  for (const name of sentIn('path'))
    if (!placeholders.includes(name)) problems.push(`request: v1's path has no {${name}}`)
  for (const place of ['query', 'path']) {
    for (const [index, name] of sentIn(place).entries()) {
      if (sentIn(place).indexOf(name) !== index) problems.push(`request: v1's ${name} is mapped twice`)
    }
  }
  const tree = pathTree<string>()
  for (const [path, { in: place, reader, basis, retired, widened }] of parameters) {
    if (place === 'path' && reader !== positiveId) problems.push(`request, ${path}: only positiveId may fill a path`)
    if (!plant(tree, segmentsOf(path), path))
      problems.push(`request, ${path}: its path overlaps that of another parameter`)
    if (reader.by !== undefined) {
      problems.push(...checkConverter(reader.by).map((problem) => `request, ${path}: ${problem}`))
    }
    if (reader.zone !== undefined && !isZone(reader.zone)) {
      problems.push(
        `request, ${path}: there is no time zone ${JSON.stringify(reader.zone)}; name one of the IANA database, such as Europe/Istanbul`,
      )
    }
    if (retired?.reason.trim() === '') problems.push(`request, ${path}: a removed value needs a reason`)
    if (widened?.reason.trim() === '') problems.push(`request, ${path}: a widening needs a reason`)
    if (widened !== undefined && (response.kind !== 'whole-list' || request.kind !== 'query-parameters')) {
      problems.push(`request, ${path}: a widening needs a query parameter, and an answer that is a whole list`)
    }
    if (basis.kind === 'assumed' && basis.reason.trim() === '')
      problems.push(`request, ${path}: assumed without a reason`)
    if (retired !== undefined && response.kind !== 'page') {
      problems.push(`request, ${path}: a removed value needs an answer that is a page`)
    }
  }
  if (request.kind === 'body' && response.kind === 'whole-list') {
    problems.push('request: a whole list is cached by its parameters, and a body has none')
  }
  const stitching = 'stitching' in request ? request.stitching : undefined
  if ((response.kind === 'page') !== (stitching !== undefined)) {
    problems.push('request: a page needs stitching, and only a page may have it')
  }
  if (stitching?.basis.kind === 'assumed' && stitching.basis.reason.trim() === '') {
    problems.push('request: stitching is assumed without a reason')
  }
  for (const name of stitching === undefined ? [] : [stitching.paging.page, stitching.paging.perPage]) {
    if (!sentIn('query').includes(name)) problems.push(`request: nothing fills ${name}, which stitching needs`)
  }
  return problems
}

/** Returns the shapes of an operation, each with its field. */
export function shapesOf({ request, response }: Operation): readonly (readonly [field: ShapePart, shape: Shape])[] {
  const own: (readonly [ShapePart, Shape])[] = []
  if (request.kind === 'body') own.push(['request', request.shape])
  if (response.kind === 'page') own.push(['response', response.rows.shape], ['response', response.meta.shape])
  else if ('shape' in response) own.push(['response', response.shape])
  return own
}

const NULL_IN_EVERY_ROW =
  'fromReference and fromRequestRow work in a record or a bare list only; in a page or a whole list it would be null in every row'

/** Whether answers are rewritten without the request and the reference lists. */
const isRewrittenAlone = ({ response }: Operation, field: string): boolean =>
  field === 'response' && (response.kind === 'page' || response.kind === 'whole-list')

/** Returns the members of a shape and its inner shapes that are filled from outside their record. */
function filledIn(shape: Shape): readonly string[] {
  return Object.entries(shape.rules).flatMap(([member, rule]) => {
    if (rule.kind === 'context') return isFilled(rule.source) ? [`${shape.name}, ${member}`] : []
    return rule.kind === 'field' && 'shape' in rule.value ? filledIn(rule.value.shape) : []
  })
}

/** Returns the reference lists that fill members of a shape or its inner shapes. */
function referencesOf(shape: Shape): readonly string[] {
  return Object.values(shape.rules).flatMap((rule) => {
    if (rule.kind === 'context') return rule.source.from === 'reference' ? [rule.source.list] : []
    return rule.kind === 'field' && 'shape' in rule.value ? referencesOf(rule.value.shape) : []
  })
}

function checkTwice(
  operations: readonly Operation[],
  field: string,
  key: (operation: Operation) => string,
): readonly string[] {
  const first = new Map<string, string>()
  return operations.flatMap((operation) => {
    const owner = first.get(key(operation))
    first.set(key(operation), owner ?? operation.id)
    return owner === undefined
      ? []
      : [`mappings/${operation.id}: ${field}: ${key(operation)} is already mapped by ${owner}`]
  })
}

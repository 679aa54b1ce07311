import { itemsPath, memberPath, segmentsOf } from '../compare/diff/path.ts'
import { bodyLinesOf, type MappingLine, subjectOf } from '../compare/expected/mapping-lines.ts'
import type { Operation } from '../mapping/operation.ts'
import type { RequestMapping } from '../mapping/request.ts'
import type { Shape } from '../mapping/shape.ts'

/** A place in a legacy request, and the places within it that have a mapping line. */
export interface RequestNode {
  /** The legacy path of its mapping line; undefined if it has none. */
  path: string | undefined
  /** Whether its members without a mapping line are counted: true for the root, and for an object of which only listed members are sent. */
  readonly tellsOthers: boolean
  readonly members: Map<string, RequestNode>
  items: RequestNode | undefined
}

/** Returns the places of a request that have a mapping line, from the root of its body or query. */
export function requestTree({ request, login }: Operation, lines: readonly MappingLine[]): RequestNode {
  const isClosed = closedPlaces(request)
  const root = newNode(true)
  // The credentials of a login have no mapping line, and need not be reported.
  if (login !== undefined) for (const name of [login.client, login.secret]) root.members.set(name, newNode(false))
  for (const line of bodyLinesOf(lines, 'request')) {
    if (line.legacy === '' || subjectOf(line) !== 'field') continue
    let node = root
    let place = ''
    for (const segment of segmentsOf(line.legacy)) {
      place = segment === null ? itemsPath(place) : memberPath(place, segment)
      // The root of an open shape counts other members; the places within it do not.
      const tellsOthers = isClosed.get(place) ?? (node === root ? isClosed.get('') === true : node.tellsOthers)
      if (segment === null) {
        node.items ??= newNode(tellsOthers)
        node = node.items
      } else {
        const next = node.members.get(segment) ?? newNode(tellsOthers)
        node.members.set(segment, next)
        node = next
      }
    }
    node.path = line.legacy
  }
  return root
}

const newNode = (tellsOthers: boolean): RequestNode => ({
  ...{ path: undefined, tellsOthers, members: new Map(), items: undefined },
})

/** Returns, by legacy path, whether the shape of each object that has one is closed. */
function closedPlaces(request: RequestMapping): ReadonlyMap<string, boolean> {
  const places = new Map<string, boolean>()
  const note = (shape: Shape, place: string): void => {
    places.set(place, shape.closed)
    for (const [path, rule] of Object.entries(shape.rules)) {
      if (rule.kind !== 'field' || !('shape' in rule.value)) continue
      const inner = place === '' ? path : `${place}.${path}`
      note(rule.value.shape, rule.value.kind === 'list' ? itemsPath(inner) : inner)
    }
  }
  if (request.kind === 'body') note(request.shape, '')
  else places.set('', true)
  return places
}

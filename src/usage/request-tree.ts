import { itemsPath, memberPath, segmentsOf } from '../compare/diff/path.ts'
import { bodyLinesOf, type MappingLine, subjectOf } from '../compare/expected/mapping-lines.ts'
import type { Operation } from '../mapping/operation.ts'
import type { RequestMapping } from '../mapping/request.ts'
import type { Shape } from '../mapping/shape.ts'

/** A place in a legacy request, and the places within it that lines of the mapping are about. */
export interface RequestNode {
  /** The legacy path of the line about it; undefined: none is. */
  path: string | undefined
  /** Whether a member of it that no line is about counts: those of the root, and those of an object of which only listed members are sent. */
  readonly tellsOthers: boolean
  readonly members: Map<string, RequestNode>
  items: RequestNode | undefined
}

/** Returns the places of a request that the lines of its mapping are about, from the root of its body or its query. */
export function requestTree({ request, login }: Operation, lines: readonly MappingLine[]): RequestNode {
  const isClosed = closedPlaces(request)
  const root = newNode(true)
  // No line is about the credentials of a login, and everybody knows that they are sent.
  if (login !== undefined) for (const name of [login.client, login.secret]) root.members.set(name, newNode(false))
  for (const line of bodyLinesOf(lines, 'request')) {
    if (line.legacy === '' || subjectOf(line) !== 'field') continue
    let node = root
    let place = ''
    for (const segment of segmentsOf(line.legacy)) {
      place = segment === null ? itemsPath(place) : memberPath(place, segment)
      // The root of an open shape tells others, and what is within it does not.
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

/** Says of each object with a shape of its own whether the shape is closed, by its legacy path. */
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

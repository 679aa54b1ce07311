import { covers, itemsPath } from '../diff/path.ts'
import { type BodyLine, subjectOf } from './mapping-line.ts'
import { remembered } from './remembered.ts'
import { nearest } from './v1-path.ts'

/** The lines of a mapping about one body, for looking up places in it. */
export interface LinesAbout {
  /**
   * The lines that a place falls under. The field that it is, or is a part of. Else, when fields are listed beneath it, these.
   * Else what is said of the members that are not listed, or of the body. An item falls under what its array does.
   */
  at(path: string): readonly BodyLine[]
  /** Whether other fields are listed within this one; if so it says where the object is, and not what is in it. */
  isContainer(line: BodyLine): boolean
}

export function linesAbout(lines: readonly BodyLine[]): LinesAbout {
  const fields = lines.filter((line) => subjectOf(line) === 'field')
  const containers = new Set(
    fields.filter((line) => fields.some(({ legacy }) => legacy !== line.legacy && covers(line.legacy, legacy))),
  )
  const leaves = fields.filter((line) => !containers.has(line))
  const envelopes = lines.filter((line) => subjectOf(line) === 'envelope')
  // Of the members of an object says most who speaks of these.
  const wholes = [...lines.filter((line) => subjectOf(line) === 'others'), ...envelopes]
  const at = remembered((path: string): readonly BodyLine[] => {
    const isHere = ({ legacy }: BodyLine): boolean => legacy === path
    const one = fields.find(isHere) ?? envelopes.find(isHere) ?? nearest(leaves, path)
    if (one !== undefined) return [one]
    // That a whole item is missing says nothing of its members: it concerns the array.
    if (path.endsWith(ITEMS)) return at(path.slice(0, -ITEMS.length))
    const beneath = path === '' ? [] : fields.filter(({ legacy }) => covers(path, legacy))
    if (beneath.length > 0) return beneath
    const around = nearest(
      wholes.filter((line) => !isHere(line)),
      path,
    )
    return around === undefined ? [] : [around]
  })
  return { at, isContainer: (line) => containers.has(line) }
}

const ITEMS = itemsPath('')

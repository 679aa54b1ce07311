import { BYTES, byteAt, JsonError, scanColon, scanSpace, scanString, scanValue } from '../json/scan-json.ts'
import { NOT_THERE, type SourceNode } from './composed-plan.ts'
import { isNameAt, keyStandsAt } from './key.ts'

const { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } = BYTES
const SMALL_N = 0x6e

/** A JSON text that is indexed. `view` covers `json`. */
export interface SourceText {
  readonly json: Uint8Array
  readonly view: DataView
}

/**
 * Notes in the nodes where the object at `at` has its members, at any depth that has nodes. Of a duplicate member, the last one
 * counts. Returns the end of the object.
 * @param collects whether to note members that are left out too, for their names.
 * @throws JsonError
 */
export function indexObject(node: SourceNode, at: number, text: SourceText, collects: boolean): number {
  clearWithin(node)
  const end = indexMembers(node, at, text, collects)
  for (const child of node.inner) indexWithin(child, text, collects)
  return end
}

function indexWithin(node: SourceNode, text: SourceText, collects: boolean): void {
  const { view } = text
  if (node.start === NOT_THERE) return
  const first = byteAt(view, node.start, node.end)
  if (first === OPEN_OBJECT) indexObject(node, node.start, text, collects)
  // A null has only members that are null.
  else if (first === SMALL_N) setWithin(node, node.start, node.end)
  const { item } = node
  if (item === undefined || first !== OPEN_ARRAY) return
  const at = scanSpace(view, node.start + 1, node.end)
  if (byteAt(view, at, node.end) === CLOSE_ARRAY) return
  item.start = at
  item.end = scanValue(view, at, node.end)
  indexWithin(item, text, collects)
}

/** Forgets everything within a node. */
function clearWithin(node: SourceNode): void {
  node.unlisted.length = 0
  setWithin(node, NOT_THERE, NOT_THERE)
  if (node.item === undefined) return
  node.item.start = NOT_THERE
  clearWithin(node.item)
}

function setWithin(node: SourceNode, start: number, end: number): void {
  for (const child of node.children) {
    child.keyAt = NOT_THERE
    child.start = start
    child.end = end
  }
  for (const child of node.inner) {
    child.unlisted.length = 0
    setWithin(child, start, end)
    if (child.item === undefined) continue
    child.item.start = NOT_THERE
    clearWithin(child.item)
  }
}

function indexMembers(node: SourceNode, at: number, { json, view }: SourceText, collects: boolean): number {
  const end = json.length
  const notes = node.others === 'passed on' || (collects && node.others === 'left out')
  let previous: SourceNode | undefined
  let expected = node.first
  at = scanSpace(view, at + 1, end)
  if (byteAt(view, at, end) === CLOSE_OBJECT) return at + 1
  for (;;) {
    const keyAt = at
    let child = expected
    if (child !== undefined && keyStandsAt(child.key, view, at, end)) at = scanSpace(view, at + child.key.length, end)
    else {
      if (byteAt(view, at, end) !== QUOTE) throw new JsonError(at)
      const keyEnd = scanString(view, at, end)
      child = childAt(node, json, keyAt, keyEnd)
      at = scanColon(view, keyEnd, end)
      if (child !== undefined) {
        if (previous === undefined) node.first = child
        else previous.next = child
      }
    }
    const valueEnd = scanValue(view, at, end)
    if (child !== undefined) {
      previous = child
      expected = child.next
      child.keyAt = keyAt
      child.start = at
      child.end = valueEnd
    } else if (notes) node.unlisted.push(keyAt, valueEnd)
    at = scanSpace(view, valueEnd, end)
    const next = byteAt(view, at, end)
    if (next === CLOSE_OBJECT) return at + 1
    if (next !== COMMA) throw new JsonError(at)
    at = scanSpace(view, at + 1, end)
  }
}

function childAt({ children }: SourceNode, json: Uint8Array, keyAt: number, keyEnd: number): SourceNode | undefined {
  for (const child of children) if (isNameAt(child.key, json, keyAt, keyEnd)) return child
  return undefined
}

import type { FieldRule, Rule, Shape } from '../../mapping/shape.ts'
import { pathTree, plant, segmentsOf } from './shape-lines.ts'

/*
 * A scope is a record, or a row of a list, with all objects within it. Lines may reach from any object of a scope to its root, and to
 * the roots of the scopes around it.
 */

/** Stands for the first item of a list in a path. */
export const FIRST_ITEM = Symbol('first item')
export type Step = string | typeof FIRST_ITEM

/** A path from the root of a scope: this one (level 0), or one further out. */
export interface ScopePath {
  readonly level: number
  readonly path: readonly Step[]
}

/** A line of a scope. */
export interface ScopeLine {
  readonly rule: Rule
  /** The object that it is in. */
  readonly object: ScopeObject
  readonly legacy: readonly Step[]
  /** Undefined if v1 does not have it. */
  readonly v1: ScopePath | undefined
}

/** An object of a scope that has a shape: its root, or the value of a line. */
export interface ScopeObject {
  readonly shape: Shape
  /** Undefined for the root. */
  readonly rule: FieldRule | undefined
  /** Undefined for the root. */
  readonly around: ScopeObject | undefined
  readonly legacy: readonly Step[]
  readonly v1: ScopePath
}

export interface Scope {
  /** The root comes first. */
  readonly objects: readonly ScopeObject[]
  readonly lines: readonly ScopeLine[]
  /** Both, in the order of the tables. */
  readonly all: readonly (ScopeObject | ScopeLine)[]
}

/** Returns all objects and lines of a scope. Lists within it are single lines. */
export function scopeOf(shape: Shape): Scope {
  const root: ScopeObject = {
    shape,
    rule: undefined,
    around: undefined,
    legacy: [],
    v1: { level: 0, path: [] },
  }
  const objects: ScopeObject[] = []
  const lines: ScopeLine[] = []
  const all: (ScopeObject | ScopeLine)[] = []
  const add = (line: ScopeLine): void => {
    lines.push(line)
    all.push(line)
  }
  const collect = (object: ScopeObject): void => {
    objects.push(object)
    all.push(object)
    for (const [path, rule] of Object.entries(object.shape.rules)) {
      const legacy = [...object.legacy, ...segmentsOf(path)]
      if (rule.kind !== 'field') {
        add({ rule, object, legacy, v1: undefined })
        continue
      }
      const v1 = fromAnchor(object, rule.v1 ?? path, rule.anchor)
      if (rule.value.kind === 'object') collect({ shape: rule.value.shape, rule, around: object, legacy, v1 })
      else add({ rule, object, legacy, v1 })
    }
  }
  collect(root)
  return { objects, lines, all }
}

/** Returns the v1 path of a line of an object, or of a part of a joined text. */
export const fromAnchor = (object: ScopeObject, v1: string, anchor: number | undefined): ScopePath =>
  anchor === undefined
    ? { level: object.v1.level, path: [...object.v1.path, ...segmentsOf(v1)] }
    : { level: anchor, path: segmentsOf(v1) }

/** An object or a line of a row whose v1 path is in a scope around the row. Its legacy path leads through the first row. */
export interface OuterLine {
  readonly rule: FieldRule
  readonly legacy: readonly Step[]
  readonly v1: ScopePath
  /** Whether its value is an object of the row's scope. */
  readonly shape: Shape | undefined
}

/** Returns what the rows of a scope's lists read from the scope, and from those around it. */
export function outerLines({ lines }: Scope): readonly OuterLine[] {
  return lines.flatMap(({ rule, legacy }) => {
    if (rule.kind !== 'field' || rule.value.kind !== 'list') return []
    const row = scopeOf(rule.value.shape)
    const within: readonly OuterLine[] = [
      ...row.objects.flatMap(({ rule, ...object }) =>
        rule === undefined ? [] : [{ rule, legacy: object.legacy, v1: object.v1, shape: object.shape }],
      ),
      ...row.lines.flatMap((line) =>
        line.rule.kind === 'field' && line.v1 !== undefined
          ? [{ rule: line.rule, legacy: line.legacy, v1: line.v1, shape: undefined }]
          : [],
      ),
      ...outerLines(row),
    ]
    return within.flatMap((line) =>
      line.v1.level === 0
        ? []
        : [
            {
              ...line,
              legacy: [...legacy, FIRST_ITEM, ...line.legacy],
              v1: { ...line.v1, level: line.v1.level - 1 },
            },
          ],
    )
  })
}

/** Returns how many scopes further out the lines of a scope, and of the lists in it, reach. */
export function reachOf(scope: Scope): number {
  const paths = [
    ...scope.objects.map(({ v1 }) => v1),
    ...scope.lines.flatMap(({ rule, object, v1 }) => [...(v1 === undefined ? [] : [v1]), ...joinedPaths(rule, object)]),
  ]
  const inner = scope.lines.flatMap(({ rule }) =>
    rule.kind === 'field' && rule.value.kind === 'list' ? [reachOf(scopeOf(rule.value.shape)) - 1] : [],
  )
  return Math.max(0, ...paths.map(({ level }) => level), ...inner)
}

/** Returns the v1 paths of a joined text. Empty for other lines. */
export function joinedPaths(rule: Rule, object: ScopeObject): readonly ScopePath[] {
  if (rule.kind !== 'context' || rule.source.from !== 'join') return []
  return rule.source.parts.flatMap((part) => ('text' in part ? [] : [fromAnchor(object, part.path, part.anchor)]))
}

/** Whether a scope needs to be composed: a line reaches beyond its object, or one v1 member has several readers. */
export function needsComposing(shape: Shape): boolean {
  const scope = scopeOf(shape)
  return (
    scope.objects.some(({ rule, shape }) => isBeyond(rule) || readsTwice(shape)) ||
    scope.lines.some(({ rule }) => isBeyond(rule)) ||
    scope.lines.some(
      ({ rule }) => rule.kind === 'field' && rule.value.kind === 'list' && reachOf(scopeOf(rule.value.shape)) > 0,
    )
  )
}

function isBeyond(rule: Rule | undefined): boolean {
  if (rule?.kind === 'field') return rule.anchor !== undefined || rule.absent !== undefined
  return rule?.kind === 'context' && (rule.source.from === 'join' || rule.source.from === 'constant')
}

function readsTwice({ rules }: Shape): boolean {
  const tree = pathTree<undefined>()
  return Object.entries(rules).some(
    ([path, rule]) => rule.kind === 'field' && !plant(tree, segmentsOf(rule.v1 ?? path), undefined),
  )
}

/** A line whose v1 path is within an object, relative to it. */
export interface V1Line {
  readonly rule: FieldRule
  readonly legacy: string
  readonly v1: readonly string[]
}

/**
 * Returns the lines of an object by their v1 path: its own, except those that are counted from the row; and, because it may be the row,
 * those that objects within it count from there.
 */
export function v1LinesOf(shape: Shape): readonly V1Line[] {
  const scope = scopeOf(shape)
  const [root] = scope.objects
  const lines = [
    ...scope.objects.slice(1).map(({ rule, around, legacy, v1 }) => ({ rule, object: around, legacy, v1 })),
    ...scope.lines,
  ]
  return lines.flatMap(({ rule, object, legacy, v1 }) => {
    if (rule?.kind !== 'field' || v1?.level !== 0) return []
    const isHere = rule.anchor === undefined ? object === root : object !== root
    return isHere ? [{ rule, legacy: legacy.map(String).join('.'), v1: v1.path.map(String) }] : []
  })
}

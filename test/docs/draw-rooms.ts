import { roomImports } from '../support/imports.ts'

/** Programs import all other rooms, and what is common is imported by all: their arrows would hide the rest. */
const LEFT_OUT = ['src/app', 'src/cli', 'src/common']

/**
 * The rooms and their imports as a Mermaid flow chart. An arrow that follows from others is left out: `a --> c` if
 * there are `a --> b` and `b --> c`.
 */
export function drawRooms(): string {
  const imports = roomImports()
  const rooms = [...imports.keys()].filter((room) => !LEFT_OUT.includes(room)).sort()
  const reaches = (from: string, to: string): boolean =>
    [...(imports.get(from) ?? [])].some((next) => next === to || reaches(next, to))
  const arrows = rooms.flatMap((room) => {
    const direct = [...(imports.get(room) ?? [])].filter((to) => !LEFT_OUT.includes(to))
    return direct
      .filter((to) => !direct.some((other) => other !== to && reaches(other, to)))
      .sort()
      .map((to) => `  ${nameOf(room)} --> ${nameOf(to)}`)
  })
  const alone = rooms.filter((room) => arrows.every((arrow) => !arrow.split(' ').includes(nameOf(room))))
  return ['flowchart TD', ...alone.map((room) => `  ${nameOf(room)}`), ...arrows].join('\n')
}

const nameOf = (room: string): string => room.replace('src/', '')

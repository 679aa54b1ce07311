import { type DestinationStream, type Logger, pino } from 'pino'

/** Writes a line of one level and message: its members, without undefined ones. */
export type WriteLine = (members: object) => void

/**
 * Returns a function that writes lines in the logger's format to the logger's destination. pino serialises member by member;
 * `JSON.stringify` does it at once: a line of a call took 2.2 µs instead of 4.1 µs.
 */
export function lineWriter(log: Logger, level: 'info', message: string): WriteLine {
  // pino's internals: the destination, and the members of every line as JSON.
  const { [pino.symbols.streamSym]: stream, [pino.symbols.chindingsSym]: bindings } = log as unknown as PinoInternals
  const start = `{"level":${log.levels.values[level]},"time":`
  const end = `,"msg":${JSON.stringify(message)}}\n`
  return (members) => {
    if (!log.isLevelEnabled(level)) return
    stream.write(`${start}${Date.now()}${bindings}${inner(members)}${end}`)
  }
}

interface PinoInternals {
  readonly [pino.symbols.streamSym]: DestinationStream
  readonly [pino.symbols.chindingsSym]: string
}

/** Writes the members of an object as JSON, each preceded by a comma. */
function inner(members: object): string {
  const json = JSON.stringify(members)
  return json === '{}' ? '' : `,${json.slice(1, -1)}`
}

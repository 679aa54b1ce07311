import type { Connection } from './connection.ts'

/** Connections in the order in which they came. To come and to leave takes the same time, however many there are. */
export class ConnectionLine {
  #first: Connection | undefined
  #last: Connection | undefined

  get first(): Connection | undefined {
    return this.#first
  }

  /** Puts one in that is in no line. */
  add(connection: Connection): void {
    connection.line = this
    connection.before = this.#last
    if (this.#last === undefined) this.#first = connection
    else this.#last.after = connection
    this.#last = connection
  }

  /** Takes one out that is in this line. */
  delete(connection: Connection): void {
    const { before, after } = connection
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    connection.line = undefined
    connection.before = undefined
    connection.after = undefined
  }
}

import type { Connection } from './connection.ts'

/** Queue of connections in order of arrival: a linked list with O(1) add and remove. */
export class ConnectionLine {
  #first: Connection | undefined
  #last: Connection | undefined

  get first(): Connection | undefined {
    return this.#first
  }

  /** Appends a connection that is in no line. */
  add(connection: Connection): void {
    connection.line = this
    connection.before = this.#last
    if (this.#last === undefined) this.#first = connection
    else this.#last.after = connection
    this.#last = connection
  }

  /** Removes a connection that is in this line. */
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

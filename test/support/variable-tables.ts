/** A row of the tables of variables: a variable, and its default as the document writes it. */
export interface VariableRow {
  readonly name: string
  /** Its own part of a cell with several, without backticks; in words where it has no fixed value: none, random. */
  readonly default: string
}

/** The variables of a document's tables, a row for each, also where one line names several. */
export function variableRows(document: string): readonly VariableRow[] {
  return [...document.matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(([, names = '', cell = '']) => {
    const defaults = cell.split(', ')
    return [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = ''], index) => ({
      name,
      default: (defaults[index] ?? cell).replaceAll('`', ''),
    }))
  })
}

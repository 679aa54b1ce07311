/** A row of the tables of variables: a variable, and its default as written in the document. */
export interface VariableRow {
  readonly name: string
  /** Its part of the cell, without backticks; a word if it has no fixed value: none, random, depends. */
  readonly default: string
}

/** The variables of a document's tables, one row each, even if a line names several. */
export function variableRows(document: string): readonly VariableRow[] {
  return [...document.matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(([, names = '', cell = '']) => {
    const defaults = cell.split(', ')
    return [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = ''], index) => ({
      name,
      default: (defaults[index] ?? cell).replaceAll('`', ''),
    }))
  })
}

/** The variables that a document names, in tables or in its text. */
export const namesIn = (document: string): readonly string[] =>
  [...document.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name)

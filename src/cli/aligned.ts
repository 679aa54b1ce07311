/** Pads the cells of each column to the same width. Numbers are padded on the left. */
export function aligned(rows: readonly (readonly string[])[], isNumber: readonly boolean[]): readonly string[][] {
  const widths = isNumber.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row.map((cell, column) =>
      isNumber[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    ),
  )
}

/** How many problems of a file are said. */
const SAID = 10

/** Says the first problems of each file, by line or entry, and how many more there are. */
export interface Problems {
  add(file: string, line: number, problem: string): void
  /** Called at the end of each file. */
  endFile(): void
}

export function sayProblems(say: (text: string) => void): Problems {
  let count = 0
  let last = ''
  return {
    add(file, line, problem) {
      last = file
      if (count++ < SAID) say(`${file}:${line}: ${problem}`)
    },
    endFile() {
      if (count > SAID) say(`${last}: ${count - SAID} more that cannot be read, or not replayed as they were`)
      count = 0
    },
  }
}

/** Mistakes in mappings, found at start-up. Each names its file and field. */
export class MappingError extends Error {
  override readonly name = 'MappingError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The mappings have mistakes:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

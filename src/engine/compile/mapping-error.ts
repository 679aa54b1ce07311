/** Mappings that cannot be right, found at start; every mistake with its file and field. */
export class MappingError extends Error {
  override readonly name = 'MappingError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The mappings cannot be right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

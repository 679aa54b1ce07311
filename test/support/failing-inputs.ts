/** How many inputs are tried at a time, so that an answer need not be waited for before the next call. */
const AT_ONCE = 8

/** Checks each of many inputs, several at a time. Returns the names of those that fail, with the reasons. */
export async function failing<Input extends { readonly name: string }>(
  inputs: readonly Input[],
  check: (input: Input) => unknown,
): Promise<readonly string[]> {
  if (inputs.length === 0) throw new Error('there is nothing to check')
  const failed: string[] = []
  const left = inputs.values()
  const checkNext = async (): Promise<void> => {
    for (const input of left) {
      try {
        await check(input)
      } catch (error) {
        failed.push(`${input.name}: ${String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext))
  return failed
}

/** Does the same with inputs that have no name: their JSON names them. */
export const failingInputs = <Input>(
  inputs: readonly Input[],
  check: (input: Input) => unknown,
): Promise<readonly string[]> =>
  failing(
    inputs.map((input) => ({ name: JSON.stringify(input), input })),
    ({ input }) => check(input),
  )

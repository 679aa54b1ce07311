/** What a mapping line is based on, for people. */
export interface LineBasis {
  /** `corrected`: it comes from MAPPING_FILE. */
  readonly basis: 'documented' | 'assumed' | 'lost' | 'corrected'
  readonly reason: string | null
  /** Of a corrected line, who corrected it; null: the file does not say. Unset: the line is not corrected. */
  readonly by?: string | null
  /** Of a corrected line, the shipped line in its place; null: there was none. Unset: the line is not corrected. */
  readonly replaces?: string | null
}

/** Whether a line declares a loss: v1 no longer has the member or the value. */
export const isLoss = ({ basis, change }: LineBasis & { readonly change: string }): boolean =>
  basis === 'lost' || change === 'lost'

/** Says why a line is as it is; of a corrected line, by whom and in place of what too. Null: nothing is to be said. */
export function whyInWords({ reason, by = null, replaces = null }: LineBasis): string | null {
  const parts = [
    ...(reason === null ? [] : [reason]),
    ...(by === null ? [] : [`by ${by}`]),
    ...(replaces === null ? [] : [`in place of: ${replaces}`]),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

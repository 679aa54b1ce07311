/** Beneath a mistake in options or arguments. */
export const SEE_HELP = 'Add --help to see how it is used.'

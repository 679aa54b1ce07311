/** Printed below an error in options or arguments. */
export const SEE_HELP = 'Add --help for usage.'

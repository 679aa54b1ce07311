/**
 * Statuses of v1 that the gateway answers unchanged (docs/decisions/0011). Answers, explanations and descriptions of errors
 * all use this list.
 */
export const KEPT_STATUSES: readonly number[] = [401, 403, 404, 405, 406, 409, 410, 413, 415, 416, 429, 451]

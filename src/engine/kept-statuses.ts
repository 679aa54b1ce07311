/**
 * Statuses of v1 that legacy answers too (docs/decisions/0011). What is explained and described of errors,
 * and what the gateway answers, go by this one list.
 */
export const KEPT_STATUSES: readonly number[] = [401, 403, 404, 405, 406, 409, 410, 413, 415, 416, 429, 451]

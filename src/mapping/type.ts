/** The types of docs/contract.md 2.1. A line has none where the contract does not show it. */
export type Type = 'int' | 'number' | 'string' | 'bool' | 'timestamp' | 'object' | 'array' | 'array of string'

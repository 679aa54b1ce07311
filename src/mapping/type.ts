/** The types of docs/contract.md 2.1. A line without one has a type that the contract does not show. */
export type Type = 'int' | 'number' | 'string' | 'bool' | 'timestamp' | 'object' | 'array' | 'array of string'

import { z } from 'zod'

/** Returns the schema of an object with only these members. What is wrong with another one is said in words. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      const members = Object.keys(shape).join(', ')
      if (issue.code !== 'unrecognized_keys') return `must be an object; its members can be ${members}`
      return `no such member: ${issue.keys.join(', ')}; expected one of ${members}`
    },
  })

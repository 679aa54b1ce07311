import { z } from 'zod'
import { didYouMean } from './similar.ts'

/** Returns the schema of an object with only these members. The message on any other member names those that are expected. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => {
      const names = Object.keys(shape)
      const members = names.join(', ')
      if (issue.code !== 'unrecognized_keys') return `must be an object; its members can be ${members}`
      const [unknown = ''] = issue.keys
      return `no such member: ${issue.keys.join(', ')}; expected one of ${members}${didYouMean(unknown, names)}`
    },
  })

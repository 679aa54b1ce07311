import { object, same, shape } from '../../src/mapping/shape.ts'
import { country } from './country.ts'

/** The contract, Address (response): in legacy the country's flags and tax are flat. Open: the rest passes. */
export const address = shape('Address', { id: same(), country: object(country) })

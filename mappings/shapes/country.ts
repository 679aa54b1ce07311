import { from, same, shape } from '../../src/mapping/shape.ts'

/** The contract, Country, and `GET /country/all` under Endpoint mapping: flat names where v1 nests. Open: the rest passes. */
export const country = shape('Country', {
  id: same(),
  code: same(),
  name: same(),
  phoneCode: same(),
  isCarrierService: same(),
  taxType: from('tax.type'),
  taxMaxValidPrice: from('tax.maxValidPrice'),
  flagW20: from('flags.w20'),
  flagW40: from('flags.w40'),
})

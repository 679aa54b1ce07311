import { from, same, shape } from '../../src/mapping/shape.ts'

/** docs/contract.md 5.2 and 6.10: legacy has flat names where v1 nests. Open: other members pass. */
export const country = shape('Country', {
  id: same('int'),
  code: same('string'),
  name: same('string'),
  phoneCode: same('string'),
  isCarrierService: same('bool'),
  taxType: from('tax.type', 'string'),
  taxMaxValidPrice: from('tax.maxValidPrice', 'number'),
  flagW20: from('flags.w20', 'string'),
  flagW40: from('flags.w40', 'string'),
})

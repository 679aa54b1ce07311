import { z } from 'zod'
import { documentPackage } from '../shipping/measure.ts'
import type { ShipmentOrder } from '../shipping/shipment-order.ts'
import { documentCarrierId } from '../store/carriers.ts'
import { shipmentTypeIds } from '../store/shipment-names.ts'
import { commonFields, readAddress } from './shipment-fields.ts'

/** docs/contract.md 4.5. */
export const documentBody = z.object(commonFields)

/** Builds the order of a valid body: always with carrier 1, and always one package of 0 x 0 x 0 cm and 0.5 kg. */
export function readDocumentOrder(sent: z.output<typeof documentBody>): ShipmentOrder {
  return {
    carrierId: documentCarrierId,
    recipientAddress: readAddress(sent.recipientAddress),
    billingAddress: null,
    senderAddressId: sent.senderAddressId ?? null,
    newSenderAddress: null,
    singlePointImportId: null,
    packages: [{ ...documentPackage, piece: 1 }],
    products: [],
    facts: {
      typeId: shipmentTypeIds.document,
      currencyId: null,
      exportCodeId: null,
      description: null,
      comment: null,
      referenceNumbers: JSON.stringify(sent.referenceNumbers ?? []),
      isRecipientCompany: sent.isRecipientCompany ? 1 : 0,
      taxNumber: null,
      taxIdentificationNumber: sent.taxIdentificationNumber || null,
      deliveryTaxType: null,
      previousTaxStatus: null,
      customsAccountNumber: null,
      customsAccountZipCode: null,
      freightHundredths: null,
      discountHundredths: null,
      otherHundredths: null,
    },
  }
}

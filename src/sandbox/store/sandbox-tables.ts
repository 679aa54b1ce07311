/** Written to `user_version`. Another number means that another version of these tables created the file. */
export const storeVersion = 2

/**
 * All tables of the store, with the declaration of each column. Times are text, `YYYY-MM-DDThh:mm:ss.sssZ`, so that they
 * sort by time. Prices are whole hundredths, so that sums and comparisons are exact. Columns named `…Folded` contain names
 * folded by `foldText`; columns named `…Order` the place of a name in a dictionary.
 */
export const tables = {
  organizations: {
    id: 'INTEGER PRIMARY KEY',
    name: 'TEXT NOT NULL',
    clientId: 'TEXT NOT NULL UNIQUE',
    secretKey: 'TEXT NOT NULL',
  },
  tokens: {
    tokenHash: 'TEXT PRIMARY KEY',
    face: 'TEXT NOT NULL',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    expiresAtMs: 'INTEGER NOT NULL',
  },
  invoices: {
    id: 'INTEGER PRIMARY KEY',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    number: 'TEXT NOT NULL CHECK (length(number) BETWEEN 1 AND 16)',
    dateAt: 'TEXT NOT NULL',
    paymentExpirationAt: 'TEXT NOT NULL',
    priceTryHundredths: 'INTEGER NOT NULL',
    priceUsdHundredths: 'INTEGER NOT NULL',
    firstName: 'TEXT NOT NULL',
    lastName: 'TEXT NOT NULL',
    citizenshipNumber: 'TEXT NOT NULL',
    company: 'TEXT NOT NULL',
    taxNumber: 'TEXT NOT NULL',
    isPaid: 'INTEGER NOT NULL CHECK (isPaid IN (0, 1))',
    statusId: 'INTEGER NOT NULL',
    addressTypeId: 'INTEGER NOT NULL',
    currencyCode: 'TEXT NOT NULL',
  },
  countries: {
    id: 'INTEGER PRIMARY KEY',
    code: 'TEXT NOT NULL UNIQUE COLLATE NOCASE',
    nameEn: 'TEXT NOT NULL',
    nameTr: 'TEXT NOT NULL',
    nameEnOrder: 'INTEGER NOT NULL',
    nameEnFolded: 'TEXT NOT NULL',
    nameTrFolded: 'TEXT NOT NULL',
    codeFolded: 'TEXT NOT NULL',
    phoneCode: 'TEXT NOT NULL',
    isCarrierService: 'INTEGER NOT NULL CHECK (isCarrierService IN (0, 1))',
    taxType: 'TEXT NOT NULL',
    taxMaxValidPrice: 'REAL NOT NULL',
    flagW20: 'TEXT NOT NULL',
    flagW40: 'TEXT NOT NULL',
    orderNumber: 'INTEGER NOT NULL',
    isGuarantee: 'INTEGER NOT NULL CHECK (isGuarantee IN (0, 1))',
  },
  /** The cities of Turkey are its provinces. countryCode repeats the country's code, so that a page needs no join. */
  cities: {
    id: 'INTEGER PRIMARY KEY',
    countryId: 'INTEGER NOT NULL REFERENCES countries',
    countryCode: 'TEXT NOT NULL COLLATE NOCASE',
    name: 'TEXT NOT NULL',
    nameOrder: 'INTEGER NOT NULL',
    nameFolded: 'TEXT NOT NULL',
    orderNumber: 'INTEGER NOT NULL',
  },
  counties: {
    id: 'INTEGER PRIMARY KEY',
    cityId: 'INTEGER NOT NULL REFERENCES cities',
    name: 'TEXT NOT NULL',
    nameOrder: 'INTEGER NOT NULL',
    nameFolded: 'TEXT NOT NULL',
    orderNumber: 'INTEGER NOT NULL',
  },
  currencies: {
    id: 'INTEGER PRIMARY KEY',
    code: 'TEXT NOT NULL UNIQUE COLLATE NOCASE',
    name: 'TEXT NOT NULL',
    nameOrder: 'INTEGER NOT NULL',
    flagPath: 'TEXT NOT NULL',
    /** The price of one unit in TRY; 0 if the central bank gives no rate. */
    sellingTry: 'REAL NOT NULL',
    buyingTry: 'REAL NOT NULL',
    updatedAt: 'TEXT NOT NULL',
    orderNumber: 'INTEGER NOT NULL',
  },
  unitsOfMeasure: {
    id: 'INTEGER PRIMARY KEY',
    code: 'TEXT NOT NULL UNIQUE',
    nameEn: 'TEXT NOT NULL',
    nameTr: 'TEXT NOT NULL',
    nameEnOrder: 'INTEGER NOT NULL',
    orderNumber: 'INTEGER NOT NULL',
  },
  exportCodes: {
    id: 'INTEGER PRIMARY KEY',
    code: 'TEXT NOT NULL UNIQUE',
    name: 'TEXT NOT NULL',
    nameOrder: 'INTEGER NOT NULL',
    orderNumber: 'INTEGER NOT NULL',
  },
  carriers: {
    id: 'INTEGER PRIMARY KEY',
    slug: 'TEXT NOT NULL UNIQUE',
    name: 'TEXT NOT NULL',
    service: 'TEXT NOT NULL',
    logoUrl: 'TEXT NOT NULL',
    /** The URL for tracking a shipment, without the tracking number at its end. */
    trackingUrl: 'TEXT NOT NULL',
    /** Two letters that the carrier's tracking numbers start with. */
    trackingPrefix: 'TEXT NOT NULL',
    /** The tariff: per package, and per half kilogram. */
    openingHundredths: 'INTEGER NOT NULL',
    halfKiloHundredths: 'INTEGER NOT NULL',
    fuelPercent: 'INTEGER NOT NULL',
  },
  /** Sender addresses belong to the organization and are reusable. Recipient and billing addresses belong to one shipment. */
  addresses: {
    id: 'INTEGER PRIMARY KEY',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    role: "TEXT NOT NULL CHECK (role IN ('sender', 'recipient', 'billing'))",
    /** The organization's name for a sender address; empty for other roles. */
    title: 'TEXT NOT NULL',
    firstName: 'TEXT NOT NULL',
    lastName: 'TEXT NOT NULL',
    company: 'TEXT NOT NULL',
    email: 'TEXT NOT NULL',
    phone: 'TEXT NOT NULL',
    countryId: 'INTEGER NOT NULL REFERENCES countries',
    /** *Assumed*: for a sender, the county. */
    state: 'TEXT NOT NULL',
    city: 'TEXT NOT NULL',
    zipCode: 'TEXT NOT NULL',
    address1: 'TEXT NOT NULL',
    address2: 'TEXT NOT NULL',
    taxType: 'INTEGER',
    tcNo: 'TEXT NOT NULL',
    taxNumber: 'TEXT NOT NULL',
  },
  /** An import with completedAt is completed, one without is open. */
  singlePointImports: {
    id: 'INTEGER PRIMARY KEY',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    name: 'TEXT NOT NULL',
    /** The carrier's shipment number, called GCCN. */
    carrierShipmentId: 'TEXT NOT NULL',
    /** This and the times are only for the legacy interface: v1's answers do not have them. */
    senderAddressId: 'INTEGER NOT NULL REFERENCES addresses',
    createdAt: 'TEXT NOT NULL',
    completedAt: 'TEXT',
  },
  /** Drafts, which the panel displays as Not generated. A completed shipment takes over the id of its draft, which is deleted. AUTOINCREMENT prevents ids from being reused. */
  shipmentDrafts: {
    id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    typeId: 'INTEGER NOT NULL',
    /** The request that could not be completed, as JSON. */
    request: 'TEXT NOT NULL',
    createdAt: 'TEXT NOT NULL',
    updatedAt: 'TEXT NOT NULL',
  },
  /** Shipments that are registered with their carrier. Missing values are null. */
  shipments: {
    id: 'INTEGER PRIMARY KEY',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    typeId: 'INTEGER NOT NULL',
    carrierId: 'INTEGER NOT NULL REFERENCES carriers',
    recipientAddressId: 'INTEGER NOT NULL REFERENCES addresses',
    senderAddressId: 'INTEGER NOT NULL REFERENCES addresses',
    billingAddressId: 'INTEGER REFERENCES addresses',
    singlePointImportId: 'INTEGER REFERENCES singlePointImports',
    currencyId: 'INTEGER REFERENCES currencies',
    exportCodeId: 'INTEGER REFERENCES exportCodes',
    description: 'TEXT',
    comment: 'TEXT',
    /** A JSON array of strings. */
    referenceNumbers: 'TEXT NOT NULL',
    isRecipientCompany: 'INTEGER NOT NULL CHECK (isRecipientCompany IN (0, 1))',
    taxNumber: 'TEXT',
    taxIdentificationNumber: 'TEXT',
    deliveryTaxType: 'INTEGER',
    previousTaxStatus: 'INTEGER',
    customsAccountNumber: 'TEXT',
    customsAccountZipCode: 'TEXT',
    /** The sender declares these three amounts; the carrier charges the prices below them. */
    freightHundredths: 'INTEGER',
    discountHundredths: 'INTEGER',
    otherHundredths: 'INTEGER',
    freightPriceHundredths: 'INTEGER NOT NULL',
    peakPriceHundredths: 'INTEGER NOT NULL',
    remoteAreaPriceHundredths: 'INTEGER NOT NULL',
    createdAt: 'TEXT NOT NULL',
    updatedAt: 'TEXT NOT NULL',
  },
  /** One row per piece. */
  shipmentPackages: {
    id: 'INTEGER PRIMARY KEY',
    shipmentId: 'INTEGER NOT NULL REFERENCES shipments',
    length: 'REAL NOT NULL',
    size: 'REAL NOT NULL',
    height: 'REAL NOT NULL',
    weight: 'REAL NOT NULL',
  },
  shipmentProducts: {
    id: 'INTEGER PRIMARY KEY',
    shipmentId: 'INTEGER NOT NULL REFERENCES shipments',
    hsCode: 'TEXT NOT NULL',
    description: 'TEXT NOT NULL',
    piece: 'INTEGER NOT NULL',
    unitPriceHundredths: 'INTEGER NOT NULL',
    unitOfMeasureId: 'INTEGER NOT NULL REFERENCES unitsOfMeasure',
    originCountryId: 'INTEGER NOT NULL REFERENCES countries',
  },
  /** docs/contract.md 7.2. The transaction is the shipment. The store does not have the shipments of seeded charges, so their data is stored here. */
  charges: {
    id: 'INTEGER PRIMARY KEY',
    organizationId: 'INTEGER NOT NULL REFERENCES organizations',
    amountHundredths: 'INTEGER NOT NULL',
    createdAt: 'TEXT NOT NULL',
    /** *Assumed*: the id of the shipment. */
    transactionId: 'INTEGER NOT NULL',
    trackingNumber: 'TEXT NOT NULL',
    typeId: 'INTEGER NOT NULL',
    billingStatusId: 'INTEGER NOT NULL',
    typeMask: 'TEXT NOT NULL',
  },
} as const

/** Statements that create the indexes of empty tables. */
export const indexes = [
  'CREATE INDEX tokensByExpiry ON tokens (expiresAtMs)',
  'CREATE UNIQUE INDEX invoicesByNumber ON invoices (organizationId, number)',
  'CREATE INDEX invoicesByDate ON invoices (organizationId, dateAt)',
  'CREATE UNIQUE INDEX countiesByCity ON counties (cityId, name)',
  'CREATE INDEX addressesByRole ON addresses (organizationId, role)',
  'CREATE UNIQUE INDEX singlePointImportsByName ON singlePointImports (organizationId, name)',
  'CREATE INDEX shipmentPackagesByShipment ON shipmentPackages (shipmentId)',
  'CREATE INDEX shipmentProductsByShipment ON shipmentProducts (shipmentId)',
  'CREATE INDEX chargesByOrganization ON charges (organizationId)',
]

/**
 * Statements that create the indexes of the longest list. Ascending and descending order each need an index of their own,
 * because ids ascend in both. Executed after the rows are there, which takes half the time of updating the indexes row by
 * row.
 */
export const cityIndexes = [
  'CREATE INDEX citiesByOrderDown ON cities (orderNumber DESC)',
  'CREATE INDEX citiesByOrderUp ON cities (orderNumber)',
  'CREATE INDEX citiesByNameDown ON cities (nameOrder DESC)',
  'CREATE INDEX citiesByNameUp ON cities (nameOrder)',
  'CREATE INDEX citiesByFoldedName ON cities (nameFolded)',
  'CREATE INDEX citiesByCountry ON cities (countryId, orderNumber DESC)',
]

export type TableName = keyof typeof tables

/** A row of a table, with the types that its columns declare. */
export type Row<Table extends TableName> = {
  [Column in keyof (typeof tables)[Table]]: ValueOf<(typeof tables)[Table][Column]>
}

/** A row to insert: the store gives it an id if it has none, and null for the columns that are missing. */
export type NewRow<Table extends TableName> = Omit<Row<Table>, 'id' | NullableColumn<Table>> & Partial<Row<Table>>

type NullableColumn<Table extends TableName> = {
  [Column in keyof Row<Table>]: null extends Row<Table>[Column] ? Column : never
}[keyof Row<Table>]

type ValueOf<Declaration> =
  | (Declaration extends `TEXT${string}` ? string : number)
  | (Declaration extends `${string}NOT NULL${string}` | `${string}PRIMARY KEY${string}` ? never : null)

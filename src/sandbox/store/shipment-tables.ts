/** The tables of shipments, addresses, carriers and charges. The rules of `tables` apply here too. */
export const shipmentTables = `
  CREATE TABLE carriers (
    id INTEGER PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    service TEXT NOT NULL,
    logoUrl TEXT NOT NULL,
    trackingUrl TEXT NOT NULL,
    trackingPrefix TEXT NOT NULL,
    openingHundredths INTEGER NOT NULL,
    halfKiloHundredths INTEGER NOT NULL,
    fuelPercent INTEGER NOT NULL
  ) STRICT;

  -- Sender addresses belong to the organization and are reusable. Recipient and billing addresses belong to one shipment.
  CREATE TABLE addresses (
    id INTEGER PRIMARY KEY,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    role TEXT NOT NULL CHECK (role IN ('sender', 'recipient', 'billing')),
    title TEXT NOT NULL,
    firstName TEXT NOT NULL,
    lastName TEXT NOT NULL,
    company TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    countryId INTEGER NOT NULL REFERENCES countries,
    state TEXT NOT NULL,
    city TEXT NOT NULL,
    zipCode TEXT NOT NULL,
    address1 TEXT NOT NULL,
    address2 TEXT NOT NULL,
    taxType INTEGER,
    tcNo TEXT NOT NULL,
    taxNumber TEXT NOT NULL
  ) STRICT;
  CREATE INDEX addressesByRole ON addresses (organizationId, role);

  -- An import with completedAt is completed, one without is open.
  CREATE TABLE singlePointImports (
    id INTEGER PRIMARY KEY,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    name TEXT NOT NULL,
    carrierShipmentId TEXT NOT NULL,
    senderAddressId INTEGER NOT NULL REFERENCES addresses,
    createdAt TEXT NOT NULL,
    completedAt TEXT,
    UNIQUE (organizationId, name)
  ) STRICT;

  -- Drafts, which the panel displays as Not generated. A completed shipment takes over the id of its draft, which is
  -- deleted. AUTOINCREMENT prevents ids from being reused.
  CREATE TABLE shipmentDrafts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    typeId INTEGER NOT NULL,
    request TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  ) STRICT;

  CREATE TABLE shipments (
    id INTEGER PRIMARY KEY,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    typeId INTEGER NOT NULL,
    carrierId INTEGER NOT NULL REFERENCES carriers,
    recipientAddressId INTEGER NOT NULL REFERENCES addresses,
    senderAddressId INTEGER NOT NULL REFERENCES addresses,
    billingAddressId INTEGER REFERENCES addresses,
    singlePointImportId INTEGER REFERENCES singlePointImports,
    currencyId INTEGER REFERENCES currencies,
    exportCodeId INTEGER REFERENCES exportCodes,
    description TEXT,
    comment TEXT,
    referenceNumbers TEXT NOT NULL,
    isRecipientCompany INTEGER NOT NULL CHECK (isRecipientCompany IN (0, 1)),
    taxNumber TEXT,
    taxIdentificationNumber TEXT,
    deliveryTaxType INTEGER,
    previousTaxStatus INTEGER,
    customsAccountNumber TEXT,
    customsAccountZipCode TEXT,
    freightHundredths INTEGER,
    discountHundredths INTEGER,
    otherHundredths INTEGER,
    freightPriceHundredths INTEGER NOT NULL,
    peakPriceHundredths INTEGER NOT NULL,
    remoteAreaPriceHundredths INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  ) STRICT;

  CREATE TABLE shipmentPackages (
    id INTEGER PRIMARY KEY,
    shipmentId INTEGER NOT NULL REFERENCES shipments,
    length REAL NOT NULL,
    size REAL NOT NULL,
    height REAL NOT NULL,
    weight REAL NOT NULL
  ) STRICT;
  CREATE INDEX shipmentPackagesByShipment ON shipmentPackages (shipmentId);

  CREATE TABLE shipmentProducts (
    id INTEGER PRIMARY KEY,
    shipmentId INTEGER NOT NULL REFERENCES shipments,
    hsCode TEXT NOT NULL,
    description TEXT NOT NULL,
    piece INTEGER NOT NULL,
    unitPriceHundredths INTEGER NOT NULL,
    unitOfMeasureId INTEGER NOT NULL REFERENCES unitsOfMeasure,
    originCountryId INTEGER NOT NULL REFERENCES countries
  ) STRICT;
  CREATE INDEX shipmentProductsByShipment ON shipmentProducts (shipmentId);

  -- docs/contract.md 7.2. The transaction is the shipment. The store does not have the shipments of seeded charges, so
  -- their data is stored here.
  CREATE TABLE charges (
    id INTEGER PRIMARY KEY,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    amountHundredths INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    transactionId INTEGER NOT NULL,
    trackingNumber TEXT NOT NULL,
    typeId INTEGER NOT NULL,
    billingStatusId INTEGER NOT NULL,
    typeMask TEXT NOT NULL
  ) STRICT;
  CREATE INDEX chargesByOrganization ON charges (organizationId);
`

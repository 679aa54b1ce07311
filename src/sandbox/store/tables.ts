import { shipmentTables } from './shipment-tables.ts'

/** Written to `user_version`. Another number means that another version of these tables created the file. */
export const storeVersion = 2

/**
 * All tables of the store. Times are text, `YYYY-MM-DDThh:mm:ss.sssZ`, so that they sort by time. Prices are whole
 * hundredths, so that sums and comparisons are exact. Columns named `…Folded` contain names folded by `foldText`.
 */
export const tables = `
  CREATE TABLE organizations (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    clientId TEXT NOT NULL UNIQUE,
    secretKey TEXT NOT NULL
  ) STRICT;

  CREATE TABLE tokens (
    tokenHash TEXT PRIMARY KEY,
    face TEXT NOT NULL,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    expiresAtMs INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokensByExpiry ON tokens (expiresAtMs);

  CREATE TABLE invoices (
    id INTEGER PRIMARY KEY,
    organizationId INTEGER NOT NULL REFERENCES organizations,
    number TEXT NOT NULL CHECK (length(number) BETWEEN 1 AND 16),
    dateAt TEXT NOT NULL,
    paymentExpirationAt TEXT NOT NULL,
    priceTryHundredths INTEGER NOT NULL,
    priceUsdHundredths INTEGER NOT NULL,
    firstName TEXT NOT NULL,
    lastName TEXT NOT NULL,
    citizenshipNumber TEXT NOT NULL,
    company TEXT NOT NULL,
    taxNumber TEXT NOT NULL,
    isPaid INTEGER NOT NULL CHECK (isPaid IN (0, 1)),
    statusId INTEGER NOT NULL,
    addressTypeId INTEGER NOT NULL,
    currencyCode TEXT NOT NULL,
    UNIQUE (organizationId, number)
  ) STRICT;
  CREATE INDEX invoicesByDate ON invoices (organizationId, dateAt);

  CREATE TABLE countries (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE COLLATE NOCASE,
    nameEn TEXT NOT NULL,
    nameTr TEXT NOT NULL,
    nameEnOrder INTEGER NOT NULL,
    nameEnFolded TEXT NOT NULL,
    nameTrFolded TEXT NOT NULL,
    codeFolded TEXT NOT NULL,
    phoneCode TEXT NOT NULL,
    isCarrierService INTEGER NOT NULL CHECK (isCarrierService IN (0, 1)),
    taxType TEXT NOT NULL,
    taxMaxValidPrice REAL NOT NULL,
    flagW20 TEXT NOT NULL,
    flagW40 TEXT NOT NULL,
    orderNumber INTEGER NOT NULL,
    isGuarantee INTEGER NOT NULL CHECK (isGuarantee IN (0, 1))
  ) STRICT;

  -- The cities of Turkey are its provinces. countryCode repeats the country's code, so that a page needs no join.
  CREATE TABLE cities (
    id INTEGER PRIMARY KEY,
    countryId INTEGER NOT NULL REFERENCES countries,
    countryCode TEXT NOT NULL COLLATE NOCASE,
    name TEXT NOT NULL,
    nameOrder INTEGER NOT NULL,
    nameFolded TEXT NOT NULL,
    orderNumber INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE counties (
    id INTEGER PRIMARY KEY,
    cityId INTEGER NOT NULL REFERENCES cities,
    name TEXT NOT NULL,
    nameOrder INTEGER NOT NULL,
    nameFolded TEXT NOT NULL,
    orderNumber INTEGER NOT NULL,
    UNIQUE (cityId, name)
  ) STRICT;

  -- The price of one unit in TRY; 0 if the central bank gives no rate.
  CREATE TABLE currencies (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE COLLATE NOCASE,
    name TEXT NOT NULL,
    nameOrder INTEGER NOT NULL,
    flagPath TEXT NOT NULL,
    sellingTry REAL NOT NULL,
    buyingTry REAL NOT NULL,
    updatedAt TEXT NOT NULL,
    orderNumber INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE unitsOfMeasure (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    nameEn TEXT NOT NULL,
    nameTr TEXT NOT NULL,
    nameEnOrder INTEGER NOT NULL,
    orderNumber INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE exportCodes (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    nameOrder INTEGER NOT NULL,
    orderNumber INTEGER NOT NULL
  ) STRICT;
${shipmentTables}`

/**
 * Indexes of the longest list. Ascending and descending order each need an index of their own, because ids ascend in
 * both. Created after the rows, which takes half the time of updating the indexes row by row.
 */
export const cityIndexes = `
  CREATE INDEX citiesByOrderDown ON cities (orderNumber DESC);
  CREATE INDEX citiesByOrderUp ON cities (orderNumber);
  CREATE INDEX citiesByNameDown ON cities (nameOrder DESC);
  CREATE INDEX citiesByNameUp ON cities (nameOrder);
  CREATE INDEX citiesByFoldedName ON cities (nameFolded);
  CREATE INDEX citiesByCountry ON cities (countryId, orderNumber DESC);
`

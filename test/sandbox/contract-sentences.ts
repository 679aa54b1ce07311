/** A sentence of docs/contract.md, word for word, and the tests that check it: `file > describe > test`. */
export interface Sentence {
  readonly says: string
  readonly heldBy: readonly string[]
}

const held = (says: string, ...heldBy: string[]): Sentence => ({ says, heldBy })

const notValid = 'errors.test.ts > an invalid request > is 422 VALIDATION_FAILED at $names: $path'
const brokenRule =
  'errors.test.ts > a broken business rule is 400 with its code, in Turkish in both languages > %s at %s'
const noToken =
  'errors.test.ts > no token, an unknown one and another scheme are 401 in Turkish in both languages: $path'
const storeUnavailable =
  'errors.test.ts > an unavailable store is 503 DEPENDENCY_UNAVAILABLE at every endpoint, in Turkish in both languages'
const success = 'errors.test.ts > a success > has success and a message that is the same in both languages: $path'
const status = 'states.test.ts > an invoice > of status %d is %s, in both interfaces'
const language = 'issue-application-token.test.ts > Accept-Language %s chooses the language by how it starts'
const texts = 'limits.test.ts > a text parameter may have from 1 to a maximum of characters > %s?%s: %d'
const ownNumber = 'limits.test.ts > $path > has its own default for perPage'
const draft =
  'states.test.ts > a new %s shipment > whose request cannot be completed leaves a draft, and each further attempt without its id another one'

/** Each sentence, list item and table row of these sections, by chapter or section. */
export const sections: Readonly<Record<string, readonly Sentence[]>> = {
  '2.1, 2.2, 2.3': [
    held(
      'The types of fields are int, number (a decimal), string, bool, timestamp, object and array.',
      "list-invoices.test.ts > the answer > has the contract's members in its order, of its types",
      "list-countries.test.ts > the answer > has the contract's members in its order, of its types, and not those for sorting",
      'create-document-shipment.test.ts > the answer > repeats the request, with carrier 1, one package of 0 x 0 x 0 cm and 0.5 kg, and null for all else',
      'bad-input.ts > bad input > at %s, a %s, is refused',
    ),
    held(
      'A v1 timestamp is ISO 8601 in UTC with milliseconds and the suffix Z: `YYYY-MM-DDThh:mm:ss.sssZ`.',
      "list-invoices.test.ts > the answer > has the contract's members in its order, of its types",
      "list-currencies.test.ts > a currency > has the contract's members in its order, of its types",
      'create-document-shipment.test.ts > the answer > repeats the request, with carrier 1, one package of 0 x 0 x 0 cm and 0.5 kg, and null for all else',
    ),
    held(
      'A legacy timestamp has the offset `+00:00` and no milliseconds.',
      'legacy/list-invoices.test.ts > the answer > has the members of the contract and no others, and legacy timestamps',
      'legacy/list-charges.test.ts > an empty object, an empty array or no body gives 25 records of the contract, newest id first',
      'legacy/single-point-imports.test.ts > creating > is 200 with the record itself, its sender address and time',
    ),
    held(
      'A date in a query is a string in the format `YYYY-MM-DD`.',
      'list-invoices.test.ts > filters > %s and %s include both days whole',
      'list-invoices.test.ts > bad values > %s is 422 (%s)',
    ),
    held('Every request may carry the header `Accept-Language` (string, default `tr`).', language),
    held('A value that starts with `en` selects English; any other value selects Turkish.', language),
    held('Validation messages follow `Accept-Language`.', notValid, language),
    held(
      'The names of countries, units of measure, statuses and additional fees of a package follow `Accept-Language`.',
      'list-countries.test.ts > the answer > differs between languages only in the names',
      'list-units-of-measure.test.ts > the name follows Accept-Language, and nothing else does',
      'create-package-shipment.test.ts > the answer > has names of type, status, country, unit and origin in the requested language',
      'calculate-prices.test.ts > the answer > is the same in both languages except for the names of the fees',
    ),
    held(
      'In v1, messages for a success, a business rule, an authorization failure or a 503 are always Turkish.',
      success,
      brokenRule,
      noToken,
      storeUnavailable,
    ),
  ],
  '10': [
    held('| NEW | 1 |', status),
    held('| WAITING | 2 |', status),
    held('| COMPLETED | 3 |', status),
    held(
      "Legacy's invoice filter also accepted the value 4; v1 removed it.",
      'states.test.ts > an invoice > of status 4 can be requested in the legacy interface, but no longer in v1',
      'legacy/list-invoices.test.ts > filters > statusId is 1, 2 or 3, as number or text; no invoice has 4',
    ),
    held(
      '| cannot be completed | draft, which the panel shows as Not generated | the draft stays in the panel; a new attempt without `id` creates another one |',
      draft,
      'create-document-shipment.test.ts > a draft > is left by a request that cannot be completed, and nothing else is stored',
    ),
    held(
      '| is completed | registered with the carrier | the answer is a 201 |',
      'states.test.ts > a new %s shipment > whose request completes is registered with the carrier: 201, and no draft remains',
    ),
    held(
      '| open | a request completes it for the first time | completed | 200 with `{success, message}` |',
      'states.test.ts > an import is open until it is completed, and stays completed whatever shipment tries to use it',
      'complete-single-point-import.test.ts > an open import > is completed with 200, a Turkish message and nothing else',
    ),
    held(
      '| completed | a request creates a shipment that uses it | completed | 400 with the code `SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE` |',
      'states.test.ts > an import is open until it is completed, and stays completed whatever shipment tries to use it',
      'create-package-shipment.test.ts > singlePointImportId > of a completed import is 400 with its code, and leaves a draft',
    ),
    held(
      'The `billingStatus` `READY` occurs.',
      'charges.test.ts > a new store has a few dozen charges, of both organizations and both types, all of them READY',
      'legacy/list-charges.test.ts > an empty object, an empty array or no body gives 25 records of the contract, newest id first',
    ),
  ],
  '11.2': [
    held(
      'To read a whole reference list, request one page after another with `perPage` 200, up to `meta.pageCount`.',
      'paginated-lists.test.ts > $path > is read page by page without gap or overlap, in the default order',
      'list-countries.test.ts > the answer > holds all 249 countries of ISO 3166, each with a name of its own in both languages',
      'many-invoices.test.ts > they are listed page by page without an error, a gap or an overlap while others write',
    ),
  ],
  '3': [
    held(
      '`POST /api/v1/auth/application` (section 4.1) returns a token for the client id and the secret key; the token is in `data.token`.',
      'issue-application-token.test.ts > the right credentials > give $clientId a token in the success envelope',
    ),
    held(
      'The header `Authorization` (required, string) is `Bearer <ACCESS_TOKEN>`: the token, with the prefix `Bearer `.',
      'list-invoices.test.ts > authorization > is refused with 401 and a Turkish message before anything is validated: %s',
      noToken,
      success,
    ),
    held('Every call needs a token unless its section says otherwise.', noToken),
    held(
      'The country list, `GET /api/v1/public/shared/countries`, needs none.',
      'list-countries.test.ts > the answer > needs no token and is the success envelope, its message Turkish in every language',
    ),
    held(
      'Legacy takes the same header, with a token from its own `POST /auth/application`, which returns it at the root as `token`.',
      'legacy/issue-application-token.test.ts > the right credentials give $clientId a token at the root: 200',
      'legacy/issue-application-token.test.ts > tokens > of v1 are refused by legacy, and those of legacy by v1',
      'legacy/issue-application-token.test.ts > tokens > are required by %s %s before anything is validated: 401',
    ),
    held(
      'The same client id and secret key work in both interfaces.',
      'issue-application-token.test.ts > the right credentials > give $clientId a token in the success envelope',
      'legacy/issue-application-token.test.ts > the right credentials give $clientId a token at the root: 200',
    ),
    held(
      'The message of an authorization failure is always Turkish.',
      noToken,
      'issue-application-token.test.ts > wrong credentials > are refused with 401 and a Turkish message: %s',
    ),
  ],
  '9': [
    held(
      'The body of a v1 error is `{success: false, code, message, errors?}`.',
      notValid,
      brokenRule,
      noToken,
      storeUnavailable,
    ),
    held('Programs should rely on `code`, not on `message`.', notValid, brokenRule),
    held(
      "| 422 | `VALIDATION_FAILED` | a request body or query breaks a rule; `errors[]` has an item with a `path` for each field, for the field's first error only; messages follow `Accept-Language` |",
      notValid,
      'errors.test.ts > an invalid request > gets only the first violation of a field that breaks several rules',
      'bad-input.ts > bad input > at all fields at once is named once per field',
      'issue-application-token.test.ts > Accept-Language %s chooses the language by how it starts',
    ),
    held(
      "| 422 | of a business rule bound to a field | for instance a missing customs zip code; in `newSenderAddress` a city that does not match the county; empty `packages` or `products`, at these paths; a single point import's name that is already in use, at `name` |",
      'create-package-shipment.test.ts > fields that require each other > are 422 at the missing one: %s',
      'create-package-shipment.test.ts > newSenderAddress > is 422 at %s when the place does not exist, and leaves no draft',
      'create-package-shipment.test.ts > packages > must not be empty, nor must products: 422 at %s',
      'create-single-point-import.test.ts > a name > that is in use is 422 at name, in the requested language, even when its import is completed',
    ),
    held(
      '| 422 | of validation | a query parameter that is empty or has an undefined value; an undefined `sortBy`; an `isGuarantee` other than true, false, 1 and 0; a destination that `validate-destination` finds unsuitable |',
      'paginated-lists.test.ts > $path > refuses parameters %s',
      'paginated-lists.test.ts > $path > refuses an invalid page, page size, column or order',
      'list-invoices.test.ts > bad values > all parameters %s are reported at once, in both languages',
      'list-countries.test.ts > bad values > %s is 422 (%s)',
      'validate-destination.test.ts > an unsuitable destination is 422 with a message for each field > %s',
    ),
    held(
      '| 400 | of the operation | a violated business rule, 406 in legacy; for instance `CARRIER_IS_NOT_FOUND`, `SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED` (with candidates for city and county in `params.options`), `SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE`, `SINGLE_POINT_IMPORT_CHARGE_FAILED` |',
      brokenRule,
      'create-package-shipment.test.ts > newSenderAddress > without tax information is 400 with city and county candidates: %s',
      'create-document-shipment.test.ts > the sender address > without tax information is 400 with candidates for city and county',
    ),
    held(
      '| 400 | `BAD_REQUEST` | `senderAddressId` does not belong to the organization |',
      brokenRule,
      "create-document-shipment.test.ts > the sender address > that is another organization's, unknown, or a recipient's is 400 BAD_REQUEST, in Turkish",
    ),
    held(
      '| 401 | `CLIENT_ID_OR_SECRET_INVALID` | wrong credentials at the token endpoint |',
      'issue-application-token.test.ts > wrong credentials > are refused with 401 and a Turkish message: %s',
    ),
    held(
      '| 503 | `DEPENDENCY_UNAVAILABLE` | the service is temporarily unavailable; the message is Turkish |',
      storeUnavailable,
    ),
    held(
      '| validation | 400 with `violations[].propertyPath` |',
      'legacy/issue-application-token.test.ts > a missing field is 400 at its path, in the requested language: %s',
      'legacy/create-document-shipment.test.ts > with violations is 400, all of them at once, and nothing is stored',
    ),
    held(
      '| business rule | 406 with a translated message |',
      'legacy/create-package-shipment.test.ts > a broken business rule is 406 with a message in the requested language, and leaves a draft > %s',
    ),
    held(
      '| the service is temporarily unavailable | 500 with an unexpected-error message |',
      'legacy/build-legacy.test.ts > a failure of the store is 500 with the unexpected-error message, and hides its cause',
    ),
  ],
  '11.1': [
    held(
      '| maximum of `perPage` | 200 | every paginated v1 list |',
      'limits.test.ts > $path > has at most 200 on a page',
    ),
    held('| default of `perPage` | 25 | the invoice list |', ownNumber),
    held('| default of `perPage` | 50 | reference lists: countries, currencies and the others |', ownNumber),
    held('| minimum of `page` | 1 | every paginated list |', 'limits.test.ts > $path > starts at page 1'),
    held('| length of `search` | 1 to 255 characters | the invoice list, the country list |', texts),
    held('| length of an invoice number | 1 to 16 characters | filter `number` of the invoice list |', texts),
    held('| length of a country code | 1 to 8 characters | filter `code` of the country list |', texts),
    held(
      '| length of a currency code | at most 3 characters each | filter `codes` of the currency list |',
      texts,
      'limits.test.ts > a text parameter may have from 1 to a maximum of characters > each of several currency codes',
    ),
    held(
      '| package of a document shipment | 1 package, 0 x 0 x 0 cm, 0.5 kg | document shipments |',
      'limits.test.ts > a document shipment is one package of 0 x 0 x 0 cm and 0.5 kg, whatever is sent',
    ),
  ],
}

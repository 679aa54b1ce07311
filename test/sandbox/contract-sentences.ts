/** What the contract says, word for word, and the tests that hold it: `file > describe > test`, as they are written. */
export interface Sentence {
  readonly says: string
  /** None for what the contract says it does not show. */
  readonly heldBy: readonly string[]
}

const notShown = (says: string): Sentence => ({ says, heldBy: [] })
const held = (says: string, ...heldBy: string[]): Sentence => ({ says, heldBy })

const notValid = 'errors.test.ts > a request that is not valid > is 422 VALIDATION_FAILED at $names: $path'
const broken =
  'errors.test.ts > a business rule that is broken is 400 with its code, in Turkish in both languages > %s at %s'
const noToken =
  'errors.test.ts > no token, an unknown one and another scheme are 401 in Turkish in both languages: $path'
const gone =
  'errors.test.ts > a store that is gone is 503 DEPENDENCY_UNAVAILABLE at every endpoint, in Turkish in both languages'
const success = 'errors.test.ts > a success > has success and a message that is the same in both languages: $path'
const status = 'states.test.ts > an invoice > of status %d is %s, in both interfaces'
const texts = 'limits.test.ts > a text parameter takes from 1 to so many characters > %s?%s: %d'
const ownNumber = 'limits.test.ts > $path > has its own number on a page when none is asked for'
const draft =
  'states.test.ts > a new %s shipment > whose request cannot be completed is a draft that remains; without id there is another, with it there is not'

/** Each sentence, list item and table row of these sections. */
export const sections: Readonly<Record<string, readonly Sentence[]>> = {
  Conventions: [
    held(
      '- Types: int, number (decimal), string, bool, timestamp, object, array.',
      "list-invoices.test.ts > the answer > has the contract's members in its order, of its types",
      "list-countries.test.ts > the answer > has the contract's members in its order, of its types, and not the ones for sorting",
      'create-document-shipment.test.ts > the answer > is what was sent, with carrier 1, one package of 0 x 0 x 0 cm and 0.5 kg, and null for what it has not',
      'bad-input.ts > bad input > at %s, a %s, is refused',
    ),
    held(
      '- v1 timestamps are ISO 8601 UTC with milliseconds and a Z suffix (`YYYY-MM-DDThh:mm:ss.sssZ`).',
      "list-invoices.test.ts > the answer > has the contract's members in its order, of its types",
      "list-currencies.test.ts > a currency > has the contract's members in its order, of its types",
      'create-document-shipment.test.ts > the answer > is what was sent, with carrier 1, one package of 0 x 0 x 0 cm and 0.5 kg, and null for what it has not',
    ),
    held(
      'Legacy timestamps carry a +00:00 offset and no milliseconds.',
      'legacy/list-invoices.test.ts > the answer > has the members of the contract and no others, and legacy timestamps',
      'legacy/list-charges.test.ts > an empty object, an empty array, or no body, gives 25 records of the contract, newest id first',
      'legacy/single-point-imports.test.ts > creating > is 200 with the record itself, its sender address and time',
    ),
    held(
      '- Query dates are strings of format `YYYY-MM-DD`.',
      'list-invoices.test.ts > filters > %s and %s include both days whole',
      'list-invoices.test.ts > bad values > %s is 422 (%s)',
    ),
    held(
      '- Name fields (country, unit of measure, status, package additional fee names) follow the Accept-Language header.',
      'list-countries.test.ts > the answer > differs between languages in the names only',
      'list-units-of-measure.test.ts > the name follows Accept-Language, and nothing else does',
      'create-package-shipment.test.ts > the answer > has names of type, status, country, unit and origin in the language asked for',
      'calculate-prices.test.ts > the answer > is the same in both languages but for the names of the fees',
    ),
    held('Success, business rule, authorization and 503 messages are always Turkish.', success, broken, noToken, gone),
  ],
  'States and transitions': [
    held('| NEW | 1 |', status),
    held('| WAITING | 2 |', status),
    held('| COMPLETED | 3 |', status),
    notShown('Transitions: not shown.'),
    held(
      'The legacy invoice filter also accepted the value 4; v1 removed it.',
      'states.test.ts > an invoice > of status 4 can be asked for in the legacy interface and no more in v1',
      'legacy/list-invoices.test.ts > filters > statusId is 1, 2 or 3, as number or text; no invoice has 4',
    ),
    held(
      '| (new) | create package shipment or create document shipment | request cannot be completed | draft, displayed as Not generated | the draft remains in the panel; a new attempt without `id` creates another draft |',
      draft,
      'create-document-shipment.test.ts > a draft > is left by a request that cannot be completed, and nothing else is stored',
    ),
    held(
      '| (new) | create package shipment or create document shipment | request completes | shipment registered with the carrier | response has status 201 |',
      'states.test.ts > a new %s shipment > whose request completes is registered with the carrier: 201, and no draft remains',
    ),
    notShown('Other shipment transitions: not shown.'),
    held(
      '| open | complete operation | import not completed before | completed | 200 with {success, message} |',
      'states.test.ts > an import is open until it is completed, and then stays so whatever shipment would use it',
      'complete-single-point-import.test.ts > an open import > is completed with 200, a Turkish message and nothing else',
    ),
    held(
      '| completed | creating a shipment that uses it | import already completed | unchanged | 400 with code SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE |',
      'states.test.ts > an import is open until it is completed, and then stays so whatever shipment would use it',
      'create-package-shipment.test.ts > singlePointImportId > of a completed import is 400 with its code, and leaves a draft',
    ),
    held(
      'The value READY occurs.',
      'charges.test.ts > a new store has a few dozen charges, of both organizations and both types, READY all of them',
      'legacy/list-charges.test.ts > an empty object, an empty array, or no body, gives 25 records of the contract, newest id first',
    ),
    notShown('States and transitions of billingStatus: not shown.'),
  ],
  'Pagination rules': [
    held(
      'To read a whole helper list, use perPage 200 and iterate over pages up to `meta.pageCount`.',
      'paginated-lists.test.ts > $path > is read page by page without gap or overlap, in the default order',
      'list-countries.test.ts > the answer > holds all 249 countries of ISO 3166, each with a name of its own in both languages',
      'many-invoices.test.ts > they are listed page by page without an error, a gap or an overlap while others write',
    ),
  ],
  Authentication: [
    held(
      '1. A token is obtained with `POST /api/v1/auth/application` using the client id and secret key from the panel; the token is in `data.token`.',
      'issue-application-token.test.ts > the right credentials > give $clientId a token in the success envelope',
    ),
    held(
      '2. Requests send the header `Authorization` (required, string) whose value is the token with the prefix `Bearer ` followed by <ACCESS_TOKEN>.',
      'list-invoices.test.ts > authorization > is refused with 401 and a Turkish message before anything is validated: %s',
      noToken,
      success,
    ),
    held(
      '3. `GET /api/v1/public/shared/countries` needs no token.',
      'list-countries.test.ts > the answer > needs no token and is the success envelope, its message Turkish in every language',
    ),
    held(
      '4. The legacy interface uses the same header form with <ACCESS_TOKEN> obtained from the legacy `POST /auth/application` (token at the root of the response).',
      'legacy/issue-application-token.test.ts > the right credentials give $clientId a token at the root: 200',
      'legacy/issue-application-token.test.ts > tokens > of v1 are refused by legacy, and those of legacy by v1',
      'legacy/issue-application-token.test.ts > tokens > are needed by %s %s, before anything is looked at: 401',
    ),
    held(
      'The same client id and secret key work for both interfaces.',
      'issue-application-token.test.ts > the right credentials > give $clientId a token in the success envelope',
      'legacy/issue-application-token.test.ts > the right credentials give $clientId a token at the root: 200',
    ),
    held(
      '5. Authorization failures return a message that is always Turkish.',
      noToken,
      'issue-application-token.test.ts > credentials that are not right > are refused with 401 and a Turkish message: %s',
    ),
    notShown(
      'Token lifetime, refresh and the exact error for a missing or invalid token on the other endpoints: not shown.',
    ),
  ],
  Errors: [
    held('v1 error body: {success: false, code, message, errors?}.', notValid, broken, noToken, gone),
    held('Integrations use `code`, not `message`.', notValid, broken),
    held(
      '| 422 | VALIDATION_FAILED | request or query validation fails; `errors[]` lists items with `path`, only the first error per field; messages follow Accept-Language |',
      notValid,
      'errors.test.ts > a request that is not valid > is told the first violation only of a field that breaks several rules',
      'bad-input.ts > bad input > at all fields at once is named once per field',
      'issue-application-token.test.ts > Accept-Language %s chooses the language by how it starts',
    ),
    held(
      '| 422 | (field-bound business rule) | for example a missing customs zip code; a city that does not match the county in newSenderAddress; empty packages or products (paths packages, products); a single point import name already used (path name) |',
      'create-package-shipment.test.ts > fields that need each other > are 422 at the missing one: %s',
      'create-package-shipment.test.ts > newSenderAddress > is 422 at %s when there is no such place, and leaves no draft',
      'create-package-shipment.test.ts > packages > and products must not be empty: 422 at %s',
      'create-single-point-import.test.ts > a name > that is used already is 422 at name, in the language asked for, also when its import is completed',
    ),
    held(
      '| 422 | (validation) | a query parameter sent empty or with an undefined value; an undefined sortBy; an isGuarantee value other than true, false, 1, 0; an unsuitable destination in validate-destination |',
      'paginated-lists.test.ts > $path > refuses parameters %s',
      'paginated-lists.test.ts > $path > refuses what is no page, no size of a page, no column, no order',
      'list-invoices.test.ts > bad values > all parameters %s are reported at once, in both languages',
      'list-countries.test.ts > bad values > %s is 422 (%s)',
      'validate-destination.test.ts > an unsuitable destination is 422 with a message for each field > %s',
    ),
    held(
      '| 400 | operation-specific code | business rule error (legacy status 406); examples: CARRIER_IS_NOT_FOUND, SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED (city and county candidates returned in `params.options`), SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE, SINGLE_POINT_IMPORT_CHARGE_FAILED |',
      broken,
      'create-package-shipment.test.ts > newSenderAddress > without tax information is 400 with city and county candidates: %s',
      'create-document-shipment.test.ts > the sender address > without tax information is 400 with candidates for city and county',
    ),
    held(
      '| 400 | BAD_REQUEST | senderAddressId does not belong to the organization |',
      broken,
      "create-document-shipment.test.ts > the sender address > that is another organization's, unknown, or a recipient's is 400 BAD_REQUEST, in Turkish",
    ),
    held(
      '| 401 | CLIENT_ID_OR_SECRET_INVALID | invalid client credentials at the token operation |',
      'issue-application-token.test.ts > credentials that are not right > are refused with 401 and a Turkish message: %s',
    ),
    held('| 503 | DEPENDENCY_UNAVAILABLE | the service is temporarily unavailable; message is Turkish |', gone),
    held(
      'Legacy errors: validation errors return 400 with `violations[].propertyPath`; business rule errors return 406 with a translated message; temporary unavailability returns 500 with an unexpected-error message.',
      'legacy/issue-application-token.test.ts > a missing field is 400 at its path, in the language asked for: %s',
      'legacy/create-document-shipment.test.ts > with violations is 400, all of them at once, and nothing is stored',
      'legacy/create-package-shipment.test.ts > a business rule is 406 with a message in the language asked for, and a draft is left > %s',
      'legacy/build-legacy.test.ts > a store that fails is 500 with the unexpected-error message, and shows nothing of the cause',
    ),
    notShown('Complete list of error codes and the members of `errors[]` beyond `path`: not shown.'),
    notShown('Error for a resource that does not exist: not shown.'),
  ],
  Limits: [
    held('| perPage maximum | 200 | all paginated v1 lists |', 'limits.test.ts > $path > has at most 200 on a page'),
    held('| perPage default | 25 | invoice list |', ownNumber),
    held('| perPage default | 50 | helper lists (countries, currencies and other reference lists) |', ownNumber),
    held('| page minimum | 1 | paginated lists |', 'limits.test.ts > $path > begins at page 1'),
    held('| search length | 1 to 255 characters | invoice list, country list |', texts),
    held('| invoice number length | 1 to 16 characters | invoice list `number` filter |', texts),
    held('| country code length | 1 to 8 characters | country list `code` filter |', texts),
    held(
      '| currency code length | at most 3 characters each | currencies `codes` filter |',
      texts,
      'limits.test.ts > a text parameter takes from 1 to so many characters > each of several currency codes',
    ),
    held(
      '| document shipment package | 1 package, 0 x 0 x 0 cm, 0.5 kg | document shipment |',
      'limits.test.ts > a document shipment is one package of 0 x 0 x 0 cm and 0.5 kg, whatever is sent',
    ),
    notShown(
      'Rate limits, maximum sizes of the packages and products arrays, and length bounds of shipment fields: not shown.',
    ),
  ],
}

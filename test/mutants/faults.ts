import type { Fault } from './fault.ts'

/** The mistakes that the tests must find. They are chosen by how much they hurt, not by how easily they are found. */
export const faults: readonly Fault[] = [
  // Engine
  {
    name: 'offset-read-as-utc',
    hurts: 'A time of 10:00+03:00 reaches v1 as 10:00 UTC, three hours late.',
    file: 'src/engine/rewrite/timestamp-in-place.ts',
    line: 'return legacyEnd.text.every(',
    becomes: 'return legacyEnd.text.some(',
  },
  {
    name: 'half-an-emoji-fails',
    hurts: 'A search text that a client cut within an emoji is answered 500.',
    file: 'src/engine/translate-parameters.ts',
    line: 'encodeURIComponent(text.toWellFormed())',
    becomes: 'encodeURIComponent(text)',
  },
  {
    name: 'violation-from-row-ten',
    hurts: 'From the eleventh row on, violations name the field as v1 does, and the client cannot mark it.',
    file: 'src/engine/error-path.ts',
    line: String.raw`path.replaceAll(/\[(\d+)\]/g`,
    becomes: String.raw`path.replaceAll(/\[(\d)\]/g`,
  },
  {
    name: 'empty-with-spaces',
    hurts: 'A client whose library writes an empty filter as "[ ]" gets a 400.',
    file: 'src/engine/translate-parameters.ts',
    line: String.raw`/^.\s*.$/.test(text)`,
    becomes: '/^..$/.test(text)',
  },
  {
    name: 'ids-of-other-rows',
    hurts: 'If v1 leaves out a row of a price, the following rows get the ids of others.',
    file: 'src/engine/json-members.ts',
    line: 'return rows.length === count && ',
    becomes: 'return rows.length >= count && ',
  },
  // Gateway
  {
    name: 'list-cached-for-anyone',
    hurts: 'Anyone with an invalid token gets the list that was cached for a valid one.',
    file: 'src/data-plane/gateway/lists/read-whole-list.ts',
    line: "(credentials.v1 ?? '')",
    becomes: "(credentials.client ?? '')",
  },
  {
    name: 'english-only-without-region',
    hurts: 'A client that asks for en-US reads its error messages in Turkish.',
    file: 'src/data-plane/gateway/errors/legacy-messages.ts',
    line: "acceptLanguage?.startsWith('en') === true",
    becomes: "acceptLanguage === 'en'",
  },
  {
    name: 'old-key-forgotten',
    hurts: 'After a change of the key, all clients are logged out, although the old key is still configured.',
    file: 'src/data-plane/gateway/login/sealed-token.ts',
    line: 'for (const key of keys) {',
    becomes: 'for (const key of [keys[0]]) {',
  },
  {
    name: 'packed-list-sent-again',
    hurts: 'A client that has a list in Brotli downloads it again with each call.',
    file: 'src/data-plane/gateway/lists/answer-whole-list.ts',
    line: "(['identity', 'gzip', 'br'] as const)",
    becomes: "(['identity', 'gzip'] as const)",
  },
  {
    name: 'address-made-up',
    hurts: 'A client chooses the address that the legacy service believes it calls from.',
    file: 'src/data-plane/gateway/service-headers.ts',
    line: '(?:forwarded|x-real-ip|x-forwarded-.*)',
    becomes: '(?:forwarded|x-forwarded-.*)',
  },
  // Upstream
  {
    name: 'write-sent-twice',
    hurts: 'If a connection breaks, an order is created twice.',
    file: 'src/data-plane/upstream/upstream.ts',
    line: 'const askAgain = repeatable ? (again: AnswerReceiver) => void pool.dispatch(sent, again) : undefined',
    becomes: 'const askAgain = (again: AnswerReceiver) => void pool.dispatch(sent, again)',
  },
  {
    name: 'hanging-service-is-up',
    hurts: 'While v1 hangs, every caller waits for the whole time-out instead of getting an answer at once.',
    file: 'src/data-plane/upstream/breaker.ts',
    line: "(error.kind === 'unreachable' || error.kind === 'timeout')",
    becomes: "error.kind === 'unreachable'",
  },
  {
    name: 'slot-lost-when-client-leaves',
    hurts: 'After 144 clients have hung up within an answer, no call reaches the legacy service any more.',
    file: 'src/app/connect-services.ts',
    line: "body.once('close', leave)",
    becomes: "body.once('end', leave)",
  },
  {
    name: 'new-authority-not-read',
    hurts: 'After the authority of the services is renewed, all calls fail until someone restarts the gateway.',
    file: 'src/data-plane/upstream/tls-files.ts',
    line: 'return [client?.certificate, client?.key, ca].map(',
    becomes: 'return [client?.certificate, client?.key, client && ca].map(',
  },
  // Comparing
  {
    name: 'rule-with-either-condition',
    hurts: 'An ignore rule for calls with one member and without another hides the differences of many other calls.',
    file: 'src/control-plane/evidence/expected/ignore-rule.ts',
    line: 'Object.entries(when).every(',
    becomes: 'Object.entries(when).some(',
  },
  {
    name: 'row-twice-hides-row-lost',
    hurts: 'The verdict is ready although v1 answers one row twice and another one never.',
    file: 'src/control-plane/evidence/diff/pair-items.ts',
    line: 'if (id === undefined || ids.has(id)) return undefined',
    becomes: 'if (id === undefined) return undefined',
  },
  {
    name: 'last-digit-not-compared',
    hurts: 'The verdict is ready although v1 rounds numbers of 17 digits.',
    file: 'src/control-plane/evidence/diff/decimal.ts',
    line: 'const MOST_DIGITS = 15',
    becomes: 'const MOST_DIGITS = 17',
  },
  {
    name: 'refusals-not-counted',
    hurts: 'The verdict is ready although both services refused nearly all calls, which proves nothing.',
    file: 'src/control-plane/evidence/tally/operation-state.ts',
    line: "['failed', 'skipped', 'notDrawn', 'refusals', 'unitCalls', 'roundTrips', 'copied'] as const",
    becomes: "['failed', 'skipped', 'notDrawn', 'unitCalls', 'roundTrips', 'copied'] as const",
  },
  {
    name: 'personal-object-kept',
    hurts: 'A recording holds the names and numbers within an object that is personal as a whole.',
    file: 'src/exchange/redact.ts',
    line: "(depth > personalDepth ? 'personal' : undefined)",
    becomes: 'undefined',
  },
  // Cut-over
  {
    name: 'window-on-the-wrong-night',
    hurts: 'With a window from Friday 22:00 to 04:00, a step is taken on Friday at 01:00, and none on Saturday.',
    file: 'src/control-plane/cutover/decide/window.ts',
    line: 'days.includes(weekday(local - DAY))',
    becomes: 'days.includes(today)',
  },
  {
    name: 'stage-before-forgotten',
    hurts: 'Just after a step, the brake knows nothing of the legacy service, and trips late.',
    file: 'src/control-plane/cutover/run/counting.ts',
    line: 'stage >= before)',
    becomes: 'stage > before)',
  },
  {
    name: 'approval-for-another-step',
    hurts: 'After 25 % was approved and the file changed, v1 gets 50 % of the clients, which nobody approved.',
    file: 'src/control-plane/cutover/decide/outlook.ts',
    line: 'plan.approve.includes(next) && position.approved !== next',
    becomes: 'plan.approve.includes(next) && position.approved === null',
  },
  {
    name: 'message-sent-again',
    hurts: 'If the database fails just after a delivery, the receiver gets the message again.',
    file: 'src/control-plane/cutover/webhook/deliver-webhooks.ts',
    line: 'return await store.settle(id, outcome, lease)',
    becomes: 'return store.settle(id, outcome, lease)',
  },
  // Store
  {
    name: 'sums-not-read-again',
    hurts: 'A replica judges by the results of others as they were when it first read them.',
    file: 'src/control-plane/store/ledger.ts',
    line: 'rows.filter((row) => !isSame(this.#all.get(row.key), headOf(row)))',
    becomes: 'rows.filter((row) => !this.#all.has(row.key))',
  },
  {
    name: 'portion-counts-twice',
    hurts: 'If an answer of the database was lost, what it had stored counts twice.',
    file: 'src/control-plane/store/ledger.ts',
    line: 'WHERE ledger_writer.stored < excluded.stored RETURNING process',
    becomes: 'RETURNING process',
  },
  {
    name: 'decisions-between-pages',
    hurts: 'An auditor who reads page by page misses decisions of the same moment.',
    file: 'src/control-plane/cutover/store/stored-decisions.ts',
    line: `(at, audit.id) < (\${given(before.at)}, \${given(before.id)})`,
    becomes: `at < \${given(before.at)}`,
  },
  // Pages and the admin port
  {
    name: 'formula-in-a-spreadsheet',
    hurts: 'A client chooses a name that runs as a formula when an operator opens the exported list.',
    file: 'src/control-plane/admin/dashboard/clients-csv.ts',
    line: String.raw`/^[=+\-@\t\r\n]/`,
    becomes: String.raw`/^[=+@\t\r\n]/`,
  },
  {
    name: 'name-like-this-machine',
    hurts: 'A page at localhost.example reads the admin port through the browser of an operator.',
    file: 'src/control-plane/admin/admin-access.ts',
    line: String.raw`|\[::1\])$/i`,
    becomes: String.raw`|\[::1\])/i`,
  },
  // Planes
  {
    name: 'bytes-of-another-call',
    hurts: 'A comparison reads bytes that belong to the call of another client by then.',
    file: 'src/planes/hand-over.ts',
    line: 'body: answer.body && new Uint8Array(answer.body)',
    becomes: 'body: answer.body',
  },
  {
    name: 'plans-forgotten',
    hurts:
      'A control plane that is started again while its database is away sends all clients of a finished plan back to legacy.',
    file: 'src/app/run-control-plane.ts',
    line: 'shared: dataPlane.sharedUse.buffer, lastCutover }',
    becomes: 'shared: dataPlane.sharedUse.buffer, lastCutover: undefined }',
  },
  // Commands
  {
    name: 'writes-to-a-real-service',
    hurts: 'A replay creates recorded orders again in the real v1, because only the legacy service is a copy.',
    file: 'src/cli/replay-options.ts',
    line: '[settings.legacyUrl, settings.v1Url].every(isLoopback)',
    becomes: '[settings.legacyUrl, settings.v1Url].some(isLoopback)',
  },
  {
    name: 'dossier-changed-after-signing',
    hurts: 'An auditor is told that a dossier is unchanged whose readable part someone has rewritten.',
    file: 'src/control-plane/evidence/dossier/sign-dossier.ts',
    line: 'if (!isCanonical || textOf(',
    becomes: 'if (!isCanonical && textOf(',
  },
]

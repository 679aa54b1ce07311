/** A deliberate mistake in the code that stores. Histories must find it. */
export interface LedgerFault {
  readonly name: string
  /** What a user would suffer. */
  readonly hurts: string
  /** From the root of the checkout. */
  readonly file: string
  /** Texts that occur once in the file, and what stands in their place. */
  readonly changes: readonly (readonly [text: string, becomes: string])[]
}

const LEDGER = 'src/control-plane/store/ledger.ts'
const SENDER = 'src/control-plane/store/sender.ts'
const EVIDENCE = 'src/control-plane/evidence/tally/evidence-db.ts'

export const ledgerFaults: readonly LedgerFault[] = [
  {
    name: 'number-not-checked',
    hurts: 'A portion that is sent again counts twice.',
    file: LEDGER,
    changes: [['WHERE ledger_writer.stored < excluded.stored RETURNING process', 'RETURNING process']],
  },
  {
    name: 'new-number-when-sent-again',
    hurts: 'A portion that was stored, and whose answer was lost, counts twice.',
    file: SENDER,
    changes: [
      ['        this.#number++\n', ''],
      ['this.#add(portion, this.#number)', 'this.#add(portion, ++this.#number)'],
    ],
  },
  {
    name: 'number-in-its-own-transaction',
    hurts: 'If the database fails between the two transactions, a portion is lost.',
    file: EVIDENCE,
    changes: [
      [
        'let added: (() => void) | undefined',
        `let added: (() => void) | undefined
      let isNew = false
      const numbered = { process, kind: EVIDENCE.name, number }
      await engine.transaction((now) => once(numbered, now, function* () { isNew = true }))`,
      ],
      [
        `await engine.transaction((now) =>
        once({ process, kind: EVIDENCE.name, number }, now, function* () {
          added = yield* copy.add(operations.map(evidenceDelta), now)
          yield* addDocuments(COMPARED_DAYS, days.map(comparedDelta), now)
        }),
      )`,
        `await engine.transaction(function* (now) {
        if (isNew) added = yield* copy.add(operations.map(evidenceDelta), now)
      })`,
      ],
    ],
  },
  {
    name: 'lock-taken-too-late',
    hurts: 'Of two replicas that add at the same moment, one takes back what the other has added.',
    file: LEDGER,
    changes: [
      [
        'const [head] = yield* query<{ readonly number: unknown }>(NEXT, kind.name)',
        `const there = yield* storedOf(kind, deltas, known)
  const [head] = yield* query<{ readonly number: unknown }>(NEXT, kind.name)`,
      ],
      ['    const there = yield* storedOf(kind, some, known)\n', ''],
    ],
  },
  {
    name: 'newer-document-wins',
    hurts: 'The results of all gateways but the last are lost.',
    file: EVIDENCE,
    changes: [['add: (one, other) => sumOfCounts([one, other])', 'add: (_, other) => other']],
  },
  {
    name: 'portion-dropped',
    hurts: 'Calls are missing whenever the database does not answer.',
    file: SENDER,
    changes: [['if (this.#pending !== undefined) await this.#sendPending(this.#pending)', '']],
  },
  {
    name: 'everything-told',
    hurts: 'A replica never shows what others have added to the documents that it adds to.',
    file: LEDGER,
    changes: [['const isTold = before === there && there?.isTold !== false', 'const isTold = true']],
  },
  {
    name: 'old-copy-trusted',
    hurts: 'A replica takes back what others have added since it last read.',
    file: LEDGER,
    changes: [['stored !== undefined && isSame(stored, headOf(row))', 'stored !== undefined']],
  },
  {
    name: 'token-not-checked',
    hurts: 'A replica that was paused takes a step of a plan which another one has in hand.',
    file: 'src/control-plane/store/engine.ts',
    changes: [
      [
        'return (yield* stillHolds(lease, now, engine.shareLock)) ? yield* work(now) : undefined',
        'return yield* work(now)',
      ],
    ],
  },
  {
    name: 'lease-not-locked',
    hurts: 'A step is stored although another replica took the lease over meanwhile.',
    file: 'src/control-plane/store/engine.ts',
    changes: [['stillHolds(lease, now, engine.shareLock)', 'stillHolds(lease, now)']],
  },
  {
    name: 'versions-not-compared',
    hurts: 'Two replicas decide at the same moment, and a plan moves twice, or back.',
    file: 'src/control-plane/cutover/store/stored-decisions.ts',
    changes: [['if ((stored?.version ?? 0) !== version - 1) return false', '']],
  },
  {
    name: 'order-forgotten',
    hurts: 'A receiver hears that a plan moved on before it hears that it began.',
    file: 'src/control-plane/cutover/store/outbox.ts',
    changes: [['number IN (SELECT min(number) FROM outbox GROUP BY operation) AND ', '']],
  },
  {
    name: 'unknown-stage-counts-as-stored',
    hurts: 'Answers at a step that the database does not know yet never count for the brake.',
    file: 'src/control-plane/cutover/store/own-answers.ts',
    changes: [['whole.filter((one) => added.includes(answersKey(one)))', 'whole']],
  },
  {
    name: 'stop-not-followed',
    hurts: 'Answers between a stop and its storage are missing for all other replicas.',
    file: 'src/control-plane/cutover/run/standings.ts',
    changes: [['changes: own.some(isAhead) ? Number.NaN : changes', 'changes']],
  },
  {
    name: 'numbers-shared-by-kinds',
    hurts: 'Calls are missing as soon as results were stored more often.',
    file: 'src/control-plane/usage/store/usage-store-on.ts',
    changes: [["kind: 'usage', number", "kind: 'evidence', number"]],
  },
  {
    name: 'leap-not-noticed',
    hurts: 'A clock that is a year ahead deletes all results.',
    file: 'src/control-plane/store/retention.ts',
    changes: [['steady === undefined || Math.abs(leapMs) > LEAP_MS ? at', 'steady === undefined ? at']],
  },
]

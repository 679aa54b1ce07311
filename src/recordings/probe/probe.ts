import type { Operation } from '../../mapping/operation.ts'
import type { RecordedExchange } from '../recorded-exchange.ts'
import type { ProbeListener } from '../replay/replay.ts'
import { type Draft, neededBy, requestOf, sayDraft } from './draft.ts'
import { planAgain, planFirst, planRest } from './plan-requests.ts'
import { readSeen, type Seen, SeenValues } from './seen-values.ts'

interface ProbeLimits {
  /** The most calls to each side. */
  readonly budget: number
  /** The most calls to a side that one exchange may take, including confirmation. */
  readonly perExchange: number
}

/** Requests made from mappings. Later requests use values from the control's answers to earlier ones. */
export interface Probe {
  /** Ends when there is nothing more to ask, the budget does not allow another exchange, or the signal is aborted. */
  entries(signal: AbortSignal): AsyncGenerator<RecordedExchange>
  /** Must hear what becomes of the entries. */
  readonly listener: ProbeListener
  /** Returns what was asked, in the order of the entries' lines from 1, without any value that was seen. */
  asked(): readonly string[]
  /** Returns how many calls were made to each side, and whether the budget left something unasked. */
  spent(): { readonly control: number; readonly candidate: number; readonly isCut: boolean }
}

/** Prepares a probe of operations. It asks nothing yet. The same answers lead to the same requests. */
export function makeProbe(operations: readonly Operation[], { budget, perExchange }: ProbeLimits): Probe {
  const calls = { control: 0, candidate: 0 }
  const asked: string[] = []
  const underWay = new Map<number, Draft>()
  /** What the answers of this round show, by line. */
  const shown = new Map<number, { readonly draft: Draft; readonly seen: Seen }>()
  const seen = new Map<string, Seen>()
  const bases = new Map<string, Draft['set']>()
  const known = new Set<string>()
  let isCut = false
  let wake = (): void => undefined

  const change = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
      if (signal.aborted) resolve()
    })
  const fits = (): boolean => Math.max(calls.control, calls.candidate) + (underWay.size + 1) * perExchange <= budget

  /** Adds up what a round has shown, in the order of the requests, not of the answers. */
  function learn(): void {
    for (const [, { draft, seen: one }] of [...shown].sort(([a], [b]) => a - b)) {
      const { id } = draft.operation
      const before = seen.get(id)
      if (before === undefined || (!before.hasContent && one.hasContent)) seen.set(id, one)
      if (one.hasContent && !bases.has(id)) bases.set(id, draft.set)
    }
    shown.clear()
  }

  async function* round(drafts: readonly Draft[], signal: AbortSignal): AsyncGenerator<RecordedExchange> {
    for (const draft of drafts) {
      const line = asked.length + 1
      const request = requestOf(draft, line)
      const key = keyOf(request)
      if (known.has(key)) continue
      while (!fits() && underWay.size > 0 && !signal.aborted) await change(signal)
      if (signal.aborted) return
      if (!fits()) {
        isCut = true
        return
      }
      known.add(key)
      asked.push(`${draft.operation.id}: ${sayDraft(draft)}`)
      underWay.set(line, draft)
      yield request
    }
    while (underWay.size > 0 && !signal.aborted) await change(signal)
    learn()
  }

  return {
    async *entries(signal) {
      signal.addEventListener('abort', () => wake(), { once: true })
      const soFar = (): SeenValues => new SeenValues(operations, seen)
      yield* round(planFirst(operations), signal)
      yield* round(planAgain(operations, soFar()), signal)
      const baseOf = (operation: Operation): Draft['set'] => bases.get(operation.id) ?? neededBy(operation)
      yield* round(planRest(operations, { seen: soFar(), baseOf }), signal)
    },
    listener: {
      asking(side) {
        calls[side]++
      },
      answered(line, reply) {
        const draft = underWay.get(line)
        if (draft === undefined || reply.status === undefined || reply.failure !== undefined) return
        // Once an operation has shown content, it needs no more requests.
        if (seen.get(draft.operation.id)?.hasContent === true) return
        shown.set(line, { draft, seen: readSeen(draft.operation.response, reply) })
      },
      ended(line) {
        underWay.delete(line)
        wake()
      },
    },
    asked: () => asked,
    spent: () => ({ ...calls, isCut }),
  }
}

/** Returns a key that is equal for equal requests. */
const keyOf = ({ method, path, headers, body = new Uint8Array() }: RecordedExchange): string =>
  [method, path, headers['accept-language'] ?? '', Buffer.from(body).toString('latin1')].join('\n')

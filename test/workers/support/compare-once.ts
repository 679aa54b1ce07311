import { openComparing } from '../../../src/workers/open-comparing.ts'

// Compares once, and leaves the thread open.
const corrections = { operations: {} }
const { compare } = openComparing({
  ...{
    key: new Uint8Array(32),
    rules: () => [],
    corrections: () => corrections,
    toTry: () => corrections,
    onLost: console.error,
  },
})
const request = { method: 'POST', path: '/', query: '', headers: {}, body: new Uint8Array() }
const reply = { status: 200, body: Buffer.from('{"data":[]}') }
const alive = setTimeout(() => undefined, 60_000)
console.log((await compare({ operation: 'invoice-list', request, control: reply, candidate: reply })).outcome)
clearTimeout(alive)

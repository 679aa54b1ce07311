import { existsSync, readFileSync, rmSync } from 'node:fs'
import { threadName } from 'node:worker_threads'

/*
 * Preloaded into a gateway's process (`--import`): the thread of the control plane does what the file FAULT_FILE says, once.
 * `end`: it throws; `hang`: it computes for ever; `memory`: it uses up its memory; `slow`: it computes for three seconds.
 */

const file = process.env.FAULT_FILE ?? ''

const faults: Readonly<Record<string, () => void>> = {
  end() {
    throw new Error('a planted fault')
  },
  hang: () => compute(Number.POSITIVE_INFINITY),
  memory() {
    const all: unknown[] = []
    for (;;) all.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  },
  slow: () => compute(3_000),
}

function compute(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

if (threadName === 'control-plane') {
  setInterval(() => {
    if (!existsSync(file)) return
    const fault = readFileSync(file, 'utf8')
    rmSync(file)
    faults[fault]?.()
  }, 20).unref()
}

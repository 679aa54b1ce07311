import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  show(calls: number): void
  end(): void
}

/** Shows a bar on a terminal, and a line every five seconds elsewhere. */
export function showProgress(seconds: number): Progress {
  const started = performance.now()
  const passed = (): number => Math.min((performance.now() - started) / 1_000, seconds)
  if (process.stdout.isTTY) {
    const bar = new SingleBar({ format: '{bar} {percentage} % | {calls} calls' }, Presets.shades_classic)
    bar.start(seconds, 0, { calls: 0 })
    return { show: (calls) => bar.update(passed(), { calls }), end: () => bar.stop() }
  }
  let printedAt = 0
  return {
    show(calls) {
      if (passed() - printedAt < 5) return
      printedAt = passed()
      console.log(`${Math.round(printedAt)} s: ${calls} calls`)
    },
    end: () => undefined,
  }
}

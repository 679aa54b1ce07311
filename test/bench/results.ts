import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { againstOthers } from './against-others.ts'
import { flat } from './flat.ts'
import { growth } from './growth.ts'
import { type Measured, plotsOf } from './results-plots.ts'
import { tablesOf } from './results-tables.ts'

/** Measures everything in RESULTS.md, and writes its tables and plots. It takes about fifteen minutes. */
export async function results(print: (line: string) => void): Promise<void> {
  const measured: Measured = {
    compared: await againstOthers(print),
    growth: await growth(print),
    flat: await flat(print),
  }
  const file = (name: string): string => join(import.meta.dirname, name)
  await writeFile(file('RESULTS.md'), tablesOf(measured, machine()))
  await writeFile(file('results.svg'), plotsOf(measured))
  print('  written: test/bench/RESULTS.md and test/bench/results.svg')
}

function machine(): string {
  const [{ model = '' } = {}] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${availableParallelism()} cores (${model.trim()}), ${memory}, Node.js ${process.versions.node}, ${process.platform}`
}

import { parseArgs } from 'node:util'
import { ledgerFaults } from './deliberate-faults.ts'
import { findEach } from './find-faults.ts'
import { runHistory } from './history.ts'

const HELP = `npm run simulate -- [SEED] [HISTORIES]

Runs histories of three replicas that share one state, in virtual time: with crashes, hangs, lost and doubled answers, partitions and
clocks that leap. Everything that happens in a history follows from its seed. Says what is wrong at the end of each.

  SEED            runs this history alone and prints all that happens in it
  SEED HISTORIES  runs so many histories, from this seed on; without both, 1,000 from 1 on

  --until-wrong   ends with the first history in which something is wrong
  --faults [NAME] applies each deliberate fault of test/simulate/deliberate-faults.ts to a copy of the code, and says after how many
                  histories it is found. NAME: only those whose name contains it.

Ends with 1 if something is wrong, or a deliberate fault is not found.`

const MANY = 1_000
const options = {
  'until-wrong': { type: 'boolean' },
  faults: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help === true) return say(HELP, 0)
  if (values.faults === true) return findAll(positionals[0] ?? '')
  const [seed, histories] = positionals.map(Number)
  if ([seed, histories].some((one) => one !== undefined && !Number.isSafeInteger(one))) return say(HELP, 1)
  if (seed !== undefined && histories === undefined) return show(seed)
  return runAll(seed ?? 1, histories ?? MANY, values['until-wrong'] === true)
}

async function show(seed: number): Promise<number> {
  const { trace, wrong } = await runHistory(seed)
  return say([...trace, ...wrong.map((line) => `seed ${seed}: ${line}`)].join('\n'), wrong.length > 0 ? 1 : 0)
}

async function runAll(first: number, histories: number, untilWrong: boolean): Promise<number> {
  const [began, used] = [performance.now(), process.cpuUsage()]
  let bad = 0
  for (let seed = first; seed < first + histories; seed++) {
    const {
      wrong: [line],
    } = await runHistory(seed)
    if (line === undefined) continue
    bad++
    console.log(`seed ${seed}: ${line}`)
    if (untilWrong) return 1
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  const { user, system } = process.cpuUsage(used)
  const ofProcessor = ((user + system) / 1_000_000).toFixed(1)
  const outcome = bad === 0 ? 'all are right' : `${bad} are wrong`
  return say(
    `${histories} histories in ${seconds} s, with ${ofProcessor} s of processor time: ${outcome}.`,
    bad > 0 ? 1 : 0,
  )
}

async function findAll(name: string): Promise<number> {
  const chosen = ledgerFaults.filter((one) => one.name.includes(name))
  const found = await findEach(chosen, MANY, ({ fault, histories, by, seconds }) => {
    const cells = [`${histories ?? 'never'}`.padStart(5), `${seconds.toFixed(1)} s`.padStart(7)]
    console.log([fault.name.padEnd(30), ...cells, by].join('  '))
  })
  return found.some(({ histories }) => histories === undefined) ? 1 : 0
}

function say(text: string, code: number): number {
  console.log(text)
  return code
}

process.exitCode = await main()

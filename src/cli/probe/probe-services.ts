import { operations } from '../../../mappings/index.ts'
import { counted } from '../../common/figures.ts'
import { comparableOf } from '../../compare/rollout/demands.ts'
import { makeProbe } from '../../probe/probe.ts'
import { compareSides, type Source } from '../replay/compare-sides.ts'
import { showProgress } from '../replay/replay-progress.ts'
import { type ProbeOptions, probeSettings } from './probe-options.ts'
import { writeProbeSummary } from './probe-summary.ts'

/** Probes both services, writes the reports and returns the exit code (docs/decisions/0065). Never rejects. */
export const probeServices = (options: ProbeOptions): Promise<number> =>
  compareSides(options, async () => openProbe(options))

function openProbe(options: ProbeOptions): Source {
  const comparable = comparableOf(operations)
  const settings = probeSettings(
    options,
    operations.filter(({ id }) => comparable.includes(id)),
  )
  const perExchange = options.confirm || options.repeatControl === true ? 2 : 1
  const probe = makeProbe(settings.operations, { budget: settings.budget, perExchange })
  return {
    says: `Probing ${counted(settings.operations.length, 'operation')} with at most ${counted(settings.budget, 'call')} to each side`,
    entries: (signal) => probe.entries(signal),
    probe,
    unreadable: { count: 0, first: [] },
    showProgress: () => showProgress(process.stderr, settings.budget, undefined, true),
    writeSummary: writeProbeSummary,
  }
}

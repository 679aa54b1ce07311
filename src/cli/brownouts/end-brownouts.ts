import type { Ended } from '../../cutover/brownout/current-brownouts.ts'
import { AdminPortError, type AdminPortOptions } from '../admin-port.ts'
import { askCutover, orCouldNotAsk } from '../cutover/ask-cutover.ts'
import { loginName } from '../cutover/give-order.ts'
import { printableJson } from '../printable.ts'

export interface EndOptions extends AdminPortOptions {
  readonly why: string
  readonly by?: string
  readonly json?: boolean
}

const REFUSED = 1

/** `legacy-gateway brownouts end --why …`: ends all brownouts that are under way. Returns the exit code. */
export const endBrownouts = (options: EndOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const { why, json } = options
    const by = options.by ?? loginName()
    if (by === undefined) throw new AdminPortError('say who you are with --by NAME: the system does not know your name')
    const asked = await askCutover('brownouts/end', options, { by, why })
    if ('refused' in asked) {
      console.error(asked.refused)
      return REFUSED
    }
    const ended = asked.answer as Ended
    process.stdout.write(json === true ? `${printableJson(ended)}\n` : `${inWords(ended)}\n`)
    return 0
  })

function inWords({ ended, kept }: Ended): string {
  const which = ended.length === 0 ? 'No brownout was under way.' : `Ended: brownout ${ended.join(', ')}.`
  return kept
    ? which
    : `${which} It is not stored, so only this gateway knows of it, and only until it stops. If STATE_DB is set, the gateway stores it as soon as it can.`
}

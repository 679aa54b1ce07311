import { type Command, Option } from 'commander'
import { asking, askingCommand } from './asking-command.ts'
import type { GuideOptions } from './guide/show-guide.ts'

/** `legacy-gateway guide CLIENT` (docs/clients.md "The guide of one client"). */
export const guideCommand = (): Command =>
  asking(
    askingCommand('guide', 'show what one client must change to call v1, based on what it really sent'),
    'the client is not known',
  )
    .argument('<client>', 'the name under which the client is counted')
    .addOption(new Option('--format <format>', 'the format of the guide').choices(['md', 'html', 'json']).default('md'))
    .action(async (client: string, options: GuideOptions) => {
      process.exitCode = await (await import('./guide/show-guide.ts')).showGuide(client, options)
    })

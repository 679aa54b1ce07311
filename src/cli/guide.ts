import { type Command, Option } from 'commander'
import { asking, askingCommand } from './asking-command.ts'
import type { GuideOptions } from './guide/show-guide.ts'

/** `legacy-gateway guide CLIENT` (docs/clients.md "The guide of one client"). */
export const guideCommand = (): Command =>
  asking(
    askingCommand('guide', 'tell what one client must change to call v1, from what it really sent'),
    'the client is not known',
  )
    .argument('<client>', 'the name that the client counts under')
    .addOption(new Option('--format <format>', 'how to write it').choices(['md', 'html', 'json']).default('md'))
    .action(async (client: string, options: GuideOptions) => {
      process.exitCode = await (await import('./guide/show-guide.ts')).showGuide(client, options)
    })

#!/usr/bin/env node
import { Command } from 'commander'
import { sandbox } from './sandbox.ts'
import { serve } from './serve.ts'

const program = new Command('legacy-gateway').description(
  'Serves the deprecated legacy interface on top of v1. Configured by environment variables; see README.md.',
)
program.command('serve').description('serve the legacy interface').action(serve)
program
  .command('sandbox')
  .description('run the service itself, both its interfaces, for trying and testing')
  .action(sandbox)
await program.parseAsync()

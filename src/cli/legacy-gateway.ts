#!/usr/bin/env node
import { Command } from 'commander'
import { serve } from './serve.ts'

const program = new Command('legacy-gateway').description(
  'Serves the deprecated legacy interface on top of v1. Configured by environment variables; see README.md.',
)
program.command('serve').description('serve the legacy interface').action(serve)
await program.parseAsync()

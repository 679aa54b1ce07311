#!/usr/bin/env node
import { reportLostOutput } from './lost-output.ts'
import { commandLine } from './program.ts'

reportLostOutput()
await commandLine().parseAsync()

#!/usr/bin/env node
import { commandLine } from './program.ts'

await commandLine().parseAsync()

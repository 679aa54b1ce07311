#!/usr/bin/env node
import { refuseMisspelt } from './misspelt.ts'
import { reportLostOutput } from './printing.ts'
import { commandLine } from './program.ts'

reportLostOutput()
try {
  const program = commandLine()
  await refuseMisspelt(program, process.argv.slice(2))
  await program.parseAsync()
} catch (error) {
  const { mappingMistake } = await import('./mapping-mistake.ts')
  const mistake = await mappingMistake(error)
  if (mistake === undefined) throw error
  console.error(mistake)
  process.exitCode = 1
}

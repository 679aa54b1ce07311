#!/usr/bin/env node
// Runs the command line on the Node.js that it is written for: this one, or else the one that npm ci installed beside it. It is
// plain JavaScript, which an old Node.js can read.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const fileAt = (path) => fileURLToPath(new URL(path, import.meta.url))
const needed = Number.parseInt(JSON.parse(readFileSync(fileAt('../../package.json'), 'utf8')).engines.node.slice(2), 10)
const installed = fileAt('../../node_modules/node/bin/node')

if (Number.parseInt(process.versions.node, 10) >= needed) {
  // Starting takes half the processor time once compiled code is kept. Where the folder cannot be written to, none is kept.
  nodeModule.enableCompileCache(fileAt('../../node_modules/.cache/legacy-gateway'))
  import('./legacy-gateway.ts')
} else if (existsSync(installed)) runOn(installed)
else {
  console.error(
    `legacy-gateway needs Node.js ${needed}, and this is ${process.version}. npm ci installs it: run that in ${fileAt('../..')}`,
  )
  process.exitCode = 1
}

/** Hands on signals, and ends as it ends. */
function runOn(node) {
  const child = spawn(node, [fileAt('legacy-gateway.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.once('error', ({ message }) => {
    console.error(`${node} cannot be run: ${message}`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}

#!/usr/bin/env node
// Runs the command line on the Node.js version that it needs: this one, or else the one that npm ci installed. Plain
// JavaScript, so that an old Node.js can run it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const fileAt = (path) => fileURLToPath(new URL(path, import.meta.url))
const needed = Number.parseInt(JSON.parse(readFileSync(fileAt('../../package.json'), 'utf8')).engines.node.slice(2), 10)
const installed = fileAt('../../node_modules/node/bin/node')

if (Number.parseInt(process.versions.node, 10) >= needed) {
  // With cached code, starting takes half the processor time. Nothing is cached if the folder is not writable.
  const cache = fileAt('../../node_modules/.cache/legacy-gateway')
  nodeModule.enableCompileCache(cache)
  // Threads find it here.
  process.env.NODE_COMPILE_CACHE ??= cache
  import('./legacy-gateway.ts')
} else if (existsSync(installed)) runOn(installed)
else {
  console.error(
    `legacy-gateway needs Node.js ${needed}, but this is ${process.version}. To install it, run npm ci in ${fileAt('../..')}`,
  )
  process.exitCode = 1
}

/** Runs the command line on `node`. Passes signals on, and exits as the child exits. */
function runOn(node) {
  const child = spawn(node, [...process.execArgv, fileAt('legacy-gateway.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.once('error', ({ message }) => {
    console.error(`cannot run ${node}: ${message}`)
    process.exitCode = 1
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const each of signals) process.removeAllListeners(each)
    process.kill(process.pid, signal)
  })
}

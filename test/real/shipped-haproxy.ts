import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNameServer } from '../support/name-server.ts'
import { freePort, makeFolder, startProgram } from './start-program.ts'

/** Gateways that all have the same ports, each at an address of its own. */
export interface ByName {
  readonly port: number
  readonly adminPort: number
  /** Where they are now. */
  addresses(): readonly string[]
}

/** Starts HAProxy as docker-compose.yml runs it, with other ports, until the file's tests have run. */
export async function startShippedHaproxy({ port, adminPort, addresses }: ByName) {
  const [front, admin, names] = [await freePort(), await freePort(), await startNameServer(addresses)]
  const config = readFileSync('deploy/haproxy/haproxy.cfg', 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${front}`)
    .replace('bind :8081', `bind 127.0.0.1:${admin}`)
    .replace('replica:8080', `replica:${port}`)
    .replace('replica:8081', `replica:${adminPort}`)
    .replace('check port 8081', `check port ${adminPort}`)
    .replace('127.0.0.11:53', `127.0.0.1:${names}`)
  const folder = makeFolder({ 'haproxy.cfg': config })
  await startProgram(['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')], front)
  return { url: `http://127.0.0.1:${front}`, adminUrl: `http://127.0.0.1:${admin}` }
}

import { startGatewayProcess, startPeer } from '../processes.ts'
import { startNginxLua } from './nginx-lua.ts'

/** Something that answers the legacy interface, as one process. */
export interface Running {
  readonly name: string
  readonly url: string
  stop(): Promise<void>
}

export const GATEWAY = 'gateway'
export const PASS_THROUGH = 'pass-through'

/** Peers in Node.js, each a file of this folder, and the packages that it needs besides the gateway's own. */
const PEERS = [
  { name: PASS_THROUGH, file: 'pass-through.ts', packages: [] },
  { name: 'Express', file: 'express.ts', packages: ['express', 'http-proxy-middleware'] },
  { name: 'Fastify', file: 'fastify.ts', packages: ['fastify', '@fastify/reply-from'] },
] as const

export interface Started {
  /** The gateway first, then the pass-through. */
  readonly peers: readonly Running[]
  /** Why other peers were skipped. */
  readonly skipped: readonly string[]
  stop(): Promise<void>
}

/** Starts the gateway and all peers. */
export async function startPeers(upstream: string): Promise<Started> {
  const peers: Running[] = [{ name: GATEWAY, ...(await startGatewayProcess(upstream)) }]
  const skipped: string[] = []
  for (const { name, file, packages } of PEERS) {
    const missing = packages.filter((wanted) => !isInstalled(wanted))
    if (missing.length > 0) skipped.push(`${name}: ${missing.join(' and ')} not installed`)
    else peers.push({ name, ...(await startNode(file, upstream)) })
  }
  const nginx = await startNginxLua(upstream).catch(
    (error: Error) => void skipped.push(`nginx + Lua: ${error.message}`),
  )
  if (nginx !== undefined) peers.push({ name: 'nginx + Lua', ...nginx })
  return { peers, skipped, stop: async () => void (await Promise.all(peers.map((peer) => peer.stop()))) }
}

async function startNode(file: string, upstream: string): Promise<Omit<Running, 'name'>> {
  const { said, stop } = await startPeer(`peers/${file}`, upstream)
  return { url: `http://127.0.0.1:${said}`, stop }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

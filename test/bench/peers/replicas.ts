import cluster from 'node:cluster'
import { join } from 'node:path'

// Run as a process of its own: `node replicas.ts COUNT V1`. The port comes back over IPC.

/** Several shipped gateways behind one port: Node's cluster assigns the connections in turn. */
function replicate(count: number, v1: string): void {
  const [host, adminHost] = ['127.0.0.1', '127.0.0.2']
  cluster.setupPrimary({
    ...{ exec: 'src/cli/legacy-gateway.ts', args: ['serve'], cwd: join(import.meta.dirname, '../../..') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let listening = 0
  cluster.on('listening', (_, { address, port }) => {
    if (address === host && ++listening === count) process.send?.(port)
  })
  const env = { HOST: host, PORT: '0', ADMIN_HOST: adminHost, ADMIN_PORT: '0', V1_BASE_URL: v1 }
  for (let replica = 0; replica < count; replica++) cluster.fork(env)
}

replicate(Number(process.argv[2]), process.argv[3] ?? '')

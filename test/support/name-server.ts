import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { closeAtEnd } from './clean-up.ts'

const HEADER_BYTES = 12
const TYPE_A = 1
/** The name of the question (RFC 1035, section 4.1.4), type A, class IN, for one second, four bytes. */
const ANSWER = Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4])

/**
 * A name server on loopback, until the file's tests have run: every name has the IPv4 addresses that `addresses` gives when it is
 * asked, and none of another kind. Without any, the name does not exist.
 * @returns its port.
 */
export async function startNameServer(addresses: () => readonly string[]): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (asked, { port, address }) => {
    const end = asked.indexOf(0, HEADER_BYTES) + 5
    const found = addresses()
    const given = asked.readUInt16BE(end - 4) === TYPE_A ? found : []
    const header = Buffer.alloc(HEADER_BYTES)
    asked.copy(header, 0, 0, 2)
    // An answer, recursion available; 3: there is no such name.
    header.writeUInt16BE(0x8180 + (found.length === 0 ? 3 : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(given.length, 6)
    const answers = given.flatMap((each) => [ANSWER, Buffer.from(each.split('.').map(Number))])
    socket.send(Buffer.concat([header, asked.subarray(HEADER_BYTES, end), ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closeAtEnd(() => socket.close())
  return socket.address().port
}

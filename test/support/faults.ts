import type { Socket } from 'node:net'
import type { FailureKind } from '../../src/data-plane/upstream/upstream-error.ts'
import { http, type RawAnswer } from './raw-server.ts'

/** A way in which a service behind the gateway can fail after it accepted the connection. */
export interface Fault {
  readonly it: string
  readonly kind: FailureKind
  readonly answer: RawAnswer
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

/** Writes a piece repeatedly until the other side closes the connection. */
function endlessly(socket: Socket, first: string, piece: string): void {
  socket.write(first)
  const timer = setInterval(() => {
    if (socket.writable) socket.write(piece)
  }, 20)
  socket.on('close', () => clearInterval(timer))
}

export const faults: readonly Fault[] = [
  { it: 'never answers', kind: 'timeout', answer: () => undefined },
  { it: 'hangs in its headers', kind: 'timeout', answer: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Ty') },
  { it: 'trickles its headers', kind: 'timeout', answer: (socket) => endlessly(socket, OK, 'x-more: y\r\n') },
  { it: 'hangs in its body', kind: 'timeout', answer: (socket) => socket.write(`${OK}content-length: 9\r\n\r\n{"a"`) },
  {
    it: 'trickles its body',
    kind: 'timeout',
    answer: (socket) => endlessly(socket, `${OK}content-length: 9999\r\n\r\n`, ' '),
  },
  {
    it: 'trickles its chunks',
    kind: 'timeout',
    answer: (socket) => endlessly(socket, `${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  },
  {
    it: 'says 102 Processing endlessly',
    kind: 'timeout',
    answer: (socket) => endlessly(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
  },
  {
    it: 'says 103 Early Hints endlessly',
    kind: 'timeout',
    answer: (socket) => endlessly(socket, '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
  },
  { it: 'hangs up without a word', kind: 'unreachable', answer: (socket) => socket.end() },
  { it: 'resets the connection', kind: 'unreachable', answer: (socket) => socket.resetAndDestroy() },
  {
    it: 'hangs up in its headers',
    kind: 'unreachable',
    answer: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'),
  },
  {
    it: 'hangs up in its body',
    kind: 'unreachable',
    answer: (socket) => socket.end(`${OK}content-length: 99\r\n\r\n{"success":true`),
  },
  {
    it: 'hangs up between its chunks',
    kind: 'unreachable',
    answer: (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{"\r\n`),
  },
  { it: 'redirects', kind: 'malformed', answer: (socket) => socket.end(http(302, '', { location: '/elsewhere' })) },
  {
    it: 'writes a huge header',
    kind: 'too-large',
    answer: (socket) => socket.end(http(200, '{}', { 'x-huge': 'x'.repeat(100_000) })),
  },
  {
    it: 'answers half a JSON',
    kind: 'malformed',
    answer: (socket) => socket.end(http(200, '{"success":true,"items":[')),
  },
  {
    it: 'is shorter than it announced',
    kind: 'malformed',
    answer: (socket) => socket.end(`${OK}content-length: 2\r\n\r\n{"success":true}`),
  },
  {
    it: 'says gzip of what is not gzip',
    kind: 'malformed',
    answer: (socket) => socket.end(http(200, '{"success":true}', { 'content-encoding': 'gzip' })),
  },
  {
    it: 'uses a content coding that nobody knows',
    kind: 'malformed',
    answer: (socket) => socket.end(http(200, '{"success":true}', { 'content-encoding': 'compress' })),
  },
  {
    it: 'answers 503',
    kind: 'unavailable',
    answer: (socket) => socket.end(http(503, 'at Object.<anonymous> (/srv/app.js:1)')),
  },
]

/** The slow ones, for which a test can wait at the same time. */
export const slowFaults = faults.filter(({ kind }) => kind === 'timeout')
export const quickFaults = faults.filter(({ kind }) => kind !== 'timeout')

/** Answers that are not HTTP. */
export const notHttp: readonly Fault[] = [
  { it: 'speaks another protocol', kind: 'malformed', answer: (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n') },
  { it: 'writes an invalid status', kind: 'malformed', answer: (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n') },
  {
    it: 'writes chunks without a size',
    kind: 'malformed',
    answer: (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`),
  },
  {
    it: 'announces two lengths',
    kind: 'malformed',
    answer: (socket) => socket.end(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  },
]

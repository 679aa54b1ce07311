import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startGateway, until } from '../support/start-gateway.ts'

test('a body that breaks off at the admin port is reported in the log only', async () => {
  const stderr = vi.spyOn(process.stderr, 'write')
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const gateway = await startGateway('http://127.0.0.1:9')
  const { port, hostname } = new URL(await gateway.openAdmin())
  const socket = connect(Number(port), hostname, () => {
    socket.write('POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"method":', () =>
      socket.destroy(),
    )
  })
  await until(() => gateway.log.some(({ level }) => level === 50))
  expect(gateway.log).toMatchObject([{ level: 50, msg: 'the admin port could not answer' }])
  expect(stderr).not.toHaveBeenCalled()
  expect(consoleError).not.toHaveBeenCalled()
})

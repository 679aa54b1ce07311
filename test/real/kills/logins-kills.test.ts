import { expect, it } from 'vitest'
import { StateError } from '../../../src/control-plane/store/state-error.ts'
import type { LoginStore } from '../../../src/control-plane/usage/logins/login-store.ts'
import { onMortalEngine } from './mortal-engine.ts'

const login = (hash: string) => ({ hash, client: 'shop' })

await onMortalEngine('logins in a store that is killed', (newState) => {
  it('are stored once when they are given again', async () => {
    const state = newState()
    const { logins } = await state.open()
    const store = logins as LoginStore
    await store.add([login('a')])
    await state.kill()
    const added = (): Promise<unknown> =>
      store.add([login('a'), login('b')]).then(
        () => 'stored',
        (error) => error instanceof StateError,
      )
    await expect.poll(added, { timeout: 30_000 }).toBe('stored')
    expect((await store.read(0)).logins.map(({ hash }) => hash).sort()).toEqual(['a', 'b'])
  }, 60_000)
})

import { expect, it } from 'vitest'
import { onBothEngines } from '../../cutover/store/support/engines.ts'
import { daysAgo, portion, row } from './support/made-up.ts'

onBothEngines('an operation that is called again', (newState) => {
  it('is reported once when nobody called it for seven days', async () => {
    const { usage } = await newState().open()
    const before = row({ days: 20 })
    expect(await usage.add(portion(1, before))).toEqual([])
    expect(await usage.add(portion(2, row({ days: 13.01 })))).toEqual([])
    const last = row({ days: 10 })
    expect(await usage.add(portion(3, last, row({ operation: 'two', days: 10 })))).toEqual([])
    const [first, second] = [row({ client: 'erp', days: 3 }), row({ days: 2.9 })]
    expect(await usage.add(portion(4, second, first, row({ operation: 'two', days: 3.1 })))).toEqual([
      { operation: 'one', client: 'erp', before: last.lastAt, at: first.firstAt },
    ])
    expect(await usage.add(portion(5, row({ days: 2 })))).toEqual([])
  })

  it('is not told of one that was never called before', async () => {
    const { usage } = await newState().open()
    await usage.add(portion(1, row({ days: 30 })))
    expect(await usage.add(portion(2, row({ operation: 'new' })))).toEqual([])
  })

  it('is reported once although several processes see it', async () => {
    const state = newState()
    const processes = [await state.open('a'), await state.open('b'), await state.open('c')]
    await processes[0]?.usage.add(portion(1, row({ days: 9 })))
    const told = await Promise.all(processes.map(({ usage }) => usage.add(portion(2, row()))))
    expect(told.flat()).toMatchObject([{ operation: 'one' }])
  })

  it('is reported again to a process that stores the same portion again, because the answer may have been lost', async () => {
    const { usage } = await newState().open()
    await usage.add(portion(1, row({ days: 9 })))
    const again = portion(2, row())
    const told = await usage.add(again)
    expect(told).toMatchObject([{ operation: 'one', client: 'shop' }])
    expect(await usage.add(again)).toEqual(told)
    expect(await usage.add(portion(3, row()))).toEqual([])
    expect(await usage.add(again)).toEqual([])
  })

  it('is not told of calls that were refused, nor of unknown paths', async () => {
    const { usage } = await newState().open()
    const unknown = { operation: 'unknown', client: 'shop' }
    await usage.add(portion(1, row({ days: 9 }), row({ days: 9, ...unknown })))
    const refused = { client: 'unidentified', calls: 4, clientErrors: 3, serverErrors: 1 }
    expect(await usage.add(portion(2, row({ days: 1, ...refused }), row(unknown)))).toEqual([])
    // They were no use of it either.
    const login = row({ ...refused, calls: 5, firstAt: daysAgo(0.5), lastAt: daysAgo(0.5) })
    expect(await usage.add(portion(3, login))).toMatchObject([{ operation: 'one', client: 'unidentified' }])
  })
})

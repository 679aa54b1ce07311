import { expect, test } from 'vitest'
import { operation, post, wholeList } from '../../../src/mapping/operation.ts'
import { positiveId } from '../../../src/mapping/reader.ts'
import { bodyParameters, segment } from '../../../src/mapping/request.ts'
import { from, shape } from '../../../src/mapping/shape.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { standInForV1 } from '../../support/v1-stand-in.ts'

const partList = operation('part-list', {
  says: 'The id of the thing moves into the path.',
  legacy: post('/api/thing/parts'),
  v1: post('/api/v1/things/{id}/parts'),
  request: bodyParameters({ thingId: segment(positiveId, 'id') }),
  response: wholeList(shape('Part', { code: from('partCode') }), {
    page: 'page',
    perPage: 'perPage',
    mostPerPage: 200,
  }),
  effect: 'read',
  authorization: 'none',
})

test('a list is cached by its path: another thing has other parts', async () => {
  const v1 = standInForV1(({ path }) => ({
    body: {
      success: true,
      items: [{ partCode: path.split('?')[0] }],
      meta: { page: 1, perPage: 200, total: 1, pageCount: 1 },
    },
  }))
  const gateway = await startGateway(v1.url, { operations: [partList] })
  const partsOf = async (thingId: number): Promise<string> =>
    (await gateway.call({ method: 'POST', path: '/api/thing/parts', body: JSON.stringify({ thingId }) })).text
  for (const id of [1, 2, 1]) expect(await partsOf(id)).toBe(`[{"code":"/api/v1/things/${id}/parts"}]`)
  expect(v1.asked).toHaveLength(2)
})

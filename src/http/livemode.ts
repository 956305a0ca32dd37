import { Type } from '@sinclair/typebox'
import { Refusal } from '../domain/errors.ts'
import { testShopOf } from '../domain/test-shop.ts'
import { DOCUMENTED, Optional, QueryBoolean } from './schema/types.ts'

/** The query parameter of lists, which show live data or test data, never both. */
export const listed = {
  livemode: Optional(
    QueryBoolean({
      description: '`false` lists what belongs to test orders, and nothing else.',
      [DOCUMENTED]: { default: true },
    }),
  ),
}

/** The shop whose data a list shows: the live one, or the one of test orders. */
export const shopIn = (merchantId: string, livemode: 'true' | 'false' | undefined): string =>
  livemode === 'false' ? testShopOf(merchantId) : merchantId

/** The field that marks data of a test order. Live data does not have it. */
export const marked = {
  livemode: Optional(Type.Boolean({ description: 'False for test orders. Live data does not have it.' })),
}

/** Runs an operation on an object by its ID, which may be live or belong to a test order. */
export async function inEither<T>(merchantId: string, run: (shop: string) => Promise<T>): Promise<T> {
  try {
    return await run(merchantId)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    return run(testShopOf(merchantId))
  }
}

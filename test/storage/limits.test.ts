import { expect, test } from 'bun:test'
import { Glob } from 'bun'

/**
 * Queries with a limit and without an order, by their file and table. The engine chooses the rows, so each of
 * them has a reason why it does not matter which rows it finds.
 */
const unordered = {
  'counts up to a limit': [
    ...['addresses.ts skippedPayments', 'attempts.ts attempts', 'browse-orders.ts orders'],
    ...['mails.ts buyerMails', 'mails.ts paymentMails', 'products.ts orders'],
    'unmatched.ts unmatchedPayments',
  ],
  'looks if there is a row, or looks up a unique row': [
    ...['attempts.ts attempts', 'attempts.ts attempts', 'attempts.ts attempts', 'list-orders.ts orders'],
    'merchants.ts keys',
  ],
  'takes parts until none is left': [
    ...['personal-data.ts orders', 'retention.ts deliveries', 'retention.ts furtherDeliveries'],
    'retention.ts idempotencyKeys',
  ],
  'finds orders for a list that sorts them and says that there are more': [
    ...['match-orders.ts customers', 'match-orders.ts orders', 'match-orders.ts table'],
    'match-orders.ts table',
  ],
  'limits nothing, or a query that is sorted already': [
    'browse-orders.ts examined',
    'browse-orders.ts orders',
  ],
}

/** A query from its SELECT to its limit; null if the limit is of another kind, such as one of a request. */
const startOf = (text: string): string | null => {
  const from = text.lastIndexOf('.select')
  return from < 0 ? null : text.slice(from)
}

test('a query with a limit is sorted, unless it does not matter which rows it finds', async () => {
  const found: string[] = []
  for await (const path of new Glob('src/storage/**/*.ts').scan()) {
    const source = await Bun.file(path).text()
    for (const { index } of source.matchAll(/\.limit\(/g)) {
      const query = startOf(source.slice(0, index))
      if (query === null || query.includes('.orderBy(')) continue
      found.push(`${path.split('/').at(-1)} ${/\.from\((\w+)\)/.exec(query)?.[1]}`)
    }
  }
  expect(found.toSorted()).toEqual(Object.values(unordered).flat().toSorted())
})

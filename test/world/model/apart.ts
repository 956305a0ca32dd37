import type { CallFact } from '../facts.ts'
import { broken, dataOf, isWellAnswered, type MakeRule } from './rule.ts'

/** Rule 14: no shop reads or changes data of another shop. */

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

export const makeApart: MakeRule = book => {
  /** The IDs of other shops' orders in a text. */
  function foreignIn(text: string, shop: number): string[] {
    const ids = new Set(text.match(uuidPattern) ?? [])
    return [...ids].filter(id => {
      const order = book.orders.get(id)
      const merchant = order ? undefined : book.shopById(id)
      return (
        (order !== undefined && order.shop !== shop) || (merchant !== undefined && merchant.shop !== shop)
      )
    })
  }

  function called(call: CallFact): string[] {
    const { by, status, path, method } = call
    const isPublic = path.startsWith('/v1/checkout/')
    const isLocked = by.key === 'none' || by.key === 'invented' || by.key === 'revoked' || by.shop === null
    if (isPublic || status === null || !path.startsWith('/v1/')) return []
    if (isLocked)
      return broken([[status === 401, `14a: ${method} ${path} with a ${by.key} key is answered ${status}`]])
    // An answer may repeat what the caller sent.
    const foreign = isWellAnswered(call) ? foreignIn(JSON.stringify(dataOf(call)), by.shop!) : []
    const changes = method !== 'GET' && by.key === 'read' && isWellAnswered(call)
    return broken([
      [by.key !== 'live' || status !== 401, `14c: ${method} ${path} refuses a key of shop ${by.shop}`],
      [foreign.length === 0, `14a: ${method} ${path} tells shop ${by.shop} of ${foreign.join(' ')}`],
      [!changes, `14b: ${method} ${path} changes something with a key that can only read`],
    ])
  }

  return {
    note: fact => (fact.fact === 'call' ? called(fact) : []),
    hear(saying) {
      if (saying.says === 'list') {
        const foreign = foreignIn(JSON.stringify(saying.items), saying.shop)
        return broken([
          [foreign.length === 0, `14a: ${saying.path} tells shop ${saying.shop} of ${foreign.join(' ')}`],
        ])
      }
      if (saying.says !== 'dashboard' && saying.says !== 'export') return []
      const text = saying.says === 'dashboard' ? saying.html : saying.text
      const foreign = foreignIn(text, saying.shop)
      return broken([
        [foreign.length === 0, `14a: ${saying.path} shows shop ${saying.shop} ${foreign.join(' ')}`],
      ])
    },
  }
}

import type { CallFact } from '../facts.ts'
import { isSameJson } from './exact.ts'
import { broken, dataOf, type MakeRule } from './rule.ts'

/** Rule 9: a request that is repeated with the same idempotency key is carried out once. */

interface Keyed {
  body: unknown
  /** null without an answer */
  order: string | null
}

export const makeReplays: MakeRule = book => {
  const byKey = new Map<string, Keyed>()
  const made = new Set<string>()

  function created(call: CallFact): string[] {
    const id: string = dataOf(call)?.orderUUID
    const isOld = made.has(id)
    made.add(id)
    return isOld ? [`9a: ${id} was created before, and is answered 201 again`] : []
  }

  /** 9a: of all requests with one key, one made an order, also if the machine crashed during another. */
  function manyOfKey(): string[] {
    const orders = Map.groupBy(book.orders.values(), ({ shop, first }) => `${shop} ${first?.externalId}`)
    return [...byKey].flatMap(([key, { body }]) => {
      const { externalId } = body as { externalId?: string }
      const same = orders.get(`${key.split(' ')[0]} ${externalId}`) ?? []
      return externalId === undefined || same.length <= 1
        ? []
        : [`9a: the key ${key} made the orders ${same.map(({ id }) => id).join(' and ')}`]
    })
  }

  function keyed(call: CallFact, key: string): string[] {
    const { status, body } = call
    const known = byKey.get(key)
    const id: string | undefined = dataOf(call)?.orderUUID
    const isSame = known !== undefined && isSameJson(known.body, body)
    const label = `the key ${call.idempotencyKey} of shop ${call.by.shop}`
    if (status === 201 || status === 200) byKey.set(key, { body, order: id ?? null })
    // A request without an answer may or may not have been carried out.
    if (status === null && !known) byKey.set(key, { body, order: null })
    const isSure = known?.order != null && call.together === null
    if (!isSure) return []
    return broken([
      [status !== 201, `9a: ${label} made the order ${known.order}, and makes ${id}`],
      [status !== 200 || id === known.order, `9a: ${label} made the order ${known.order}, and answers ${id}`],
      [status !== 200 || isSame, `9b: ${label} is used for another body, which is answered 200`],
      [status !== 409 || !isSame, `9b: ${label} is used for the same body, which is refused`],
    ])
  }

  return {
    note(fact) {
      if (fact.fact !== 'call' || fact.method !== 'POST' || fact.path !== '/v1/orders') return []
      const key = fact.idempotencyKey === null ? null : `${fact.by.shop} ${fact.idempotencyKey}`
      const isRepeated = key !== null && fact.status === 200
      return [
        ...(fact.status === 201 ? created(fact) : []),
        ...broken([
          [fact.status !== 200 || isRepeated, '9a: an order without a key is answered as a repeated one'],
        ]),
        ...(key === null || (fact.by.key !== 'live' && fact.by.key !== 'read') ? [] : keyed(fact, key)),
        ...broken([
          [
            fact.status !== 201 || fact.by.key === 'live',
            `9c: an order was created with a ${fact.by.key} key of shop ${fact.by.shop}`,
          ],
        ]),
      ]
    },
    end: () => [
      ...manyOfKey(),
      ...broken([
        [
          made.size <= book.orders.size,
          `9a: ${made.size} orders were created, but ${book.orders.size} exist`,
        ],
      ]),
    ],
  }
}

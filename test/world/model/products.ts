import type { CallFact, Json, ListSaying } from '../facts.ts'
import { isSameJson, minorOf } from './exact.ts'
import { broken, dataOf, isWellAnswered, type MakeRule, nameOf, type Told } from './rule.ts'

/** Rule 16: a product has the properties that its shop gave it, and an order for it has its price. */

interface Product {
  shop: number
  json: Json
}

const PATH = /^[/]v1[/]products[/]([0-9a-f-]{36})$/
const ORDERED = /^[/]v1[/]checkout[/]products[/]([0-9a-f-]{36})[/]orders$/
const FIXED = ['productUUID', 'merchantId', 'checkoutUrl', 'createdAt']
const CHANGED = ['name', 'active', 'orderTemplate']

const isSameTemplate = (one: Json, other: Json): boolean =>
  one.currency === other.currency &&
  minorOf(one.amount, one.currency) === minorOf(other.amount, other.currency) &&
  isSameJson(one.paymentMethodsKeys, other.paymentMethodsKeys)

const isSame = (field: string, one: Json, other: Json): boolean =>
  field === 'orderTemplate' ? isSameTemplate(one, other) : isSameJson(one, other)

export const makeProducts: MakeRule = book => {
  const products = new Map<string, Product>()
  /** the products of orders, and the prices that requests named, by order */
  const priced = new Map<string, { product: Json; named: Json | null }>()

  /** 16a: a change sets the requested properties, and leaves the others as they were. */
  function changed(call: CallFact, json: Json, known: Json): string[] {
    const name = `the product ${json.productUUID}`
    const wrong = CHANGED.filter(field => {
      const expected = call.body?.[field] ?? known?.[field]
      return expected !== undefined && !isSame(field, json[field], expected)
    })
    const moved = known ? FIXED.filter(field => !isSameJson(json[field], known[field])) : []
    return [...wrong, ...moved].map(field => `16a: ${name} has ${field} ${JSON.stringify(json[field])}`)
  }

  function called(call: CallFact): string[] {
    const { method, path, by, status } = call
    const json = dataOf(call)
    if (method === 'POST' && path === '/v1/products' && status === 201 && by.shop !== null) {
      products.set(json.productUUID, { shop: by.shop, json })
      return changed(call, json, null)
    }
    const id = PATH.exec(path)?.[1]
    const known = id === undefined ? undefined : products.get(id)
    if (known) return ofProduct(call, known)
    const isOrder = method === 'POST' && path === '/v1/orders'
    const ordered: string | undefined = isOrder ? call.body.productUUID : ORDERED.exec(path)?.[1]
    return ordered !== undefined && status === 201 ? sold(ordered, json, call.body) : []
  }

  function ofProduct(call: CallFact, known: Product): string[] {
    const { by, method, path, status } = call
    const json = dataOf(call)
    if (by.shop !== known.shop)
      return broken([[!isWellAnswered(call), `16b: ${method} ${path} is answered to shop ${by.shop}`]])
    if (status === null) products.delete(known.json.productUUID)
    if (status !== 200) return broken([[status !== 404, `16b: ${method} ${path} is not found`]])
    const problems = changed(call, json, known.json)
    known.json = json
    return problems
  }

  /** 16c: only active products can be ordered. */
  function sold(id: string, json: Json, body: Json): string[] {
    const product = products.get(id)
    const named = body.amount === undefined ? null : body
    if (product) priced.set(json.orderUUID, { product: product.json, named })
    return broken([[product?.json.active !== false, `16c: the product ${id} is sold, but archived`]])
  }

  function told({ order, json }: Told): string[] {
    const sale = priced.get(order.id)
    if (!sale) return []
    const { product, named } = sale
    const { amount, currency } = product.allowPriceOverride && named ? named : product.orderTemplate
    return broken([
      [json.productUUID === product.productUUID, `16d: ${nameOf(order)} is of ${json.productUUID}`],
      [
        json.currency === currency && minorOf(json.amount, json.currency) === minorOf(amount, currency),
        `16d: ${nameOf(order)} of ${json.amount} ${json.currency} is of a product for ${amount} ${currency}`,
      ],
      [json.productName === product.name, `16d: ${nameOf(order)} is of ${json.productName}`],
    ])
  }

  /** 16e: the list has all products of the shop, with their current properties. */
  function listed({ shop, items }: ListSaying): string[] {
    const byId = new Map<string, Json>(items.map(item => [item.productUUID, item]))
    return [...products].flatMap(([id, product]) => {
      const item = byId.get(id)
      if (product.shop !== shop)
        return item ? [`16e: the products of shop ${shop} have ${id} of another shop`] : []
      const wrong = item
        ? CHANGED.filter(field => !isSame(field, item[field], product.json[field]))
        : ['nothing']
      return wrong.map(field => `16e: the products of shop ${shop} have another ${field} of ${id}`)
    })
  }

  return {
    note: fact => (fact.fact === 'call' ? called(fact) : []),
    told,
    hear: saying =>
      saying.says === 'list' && saying.path.startsWith('/v1/products') && book.shops.size > 0
        ? listed(saying)
        : [],
  }
}

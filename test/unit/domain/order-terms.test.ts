import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../src/domain/errors.ts'
import { type PriceRequest, productTerms, termsForAmount } from '../../../src/domain/order-terms.ts'
import { newProduct, type Product } from '../../../src/domain/product.ts'

const product = (change: Partial<Product> = {}): Product =>
  newProduct({
    id: 'p1',
    merchantId: 'm1',
    name: 'House blend',
    amount: '12.50',
    currency: 'USD',
    methodKeys: ['stripe', 'crypto'],
    metadata: { sku: 1, shelf: 'a' },
    createdAt: 0,
    updatedAt: 0,
    ...change,
  })

const priceRequest = (change: Partial<PriceRequest> = {}): PriceRequest => ({
  price: null,
  methodKeys: null,
  description: null,
  productImageUrl: null,
  metadata: {},
  ...change,
})

const codeOf = (work: () => unknown): string | null => {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

const price = { amount: '1.00', currency: 'EUR' }

const refusals: [
  sentence: string,
  change: Partial<Product>,
  requested: Partial<PriceRequest>,
  code: string,
][] = [
  ['3.4: an archived product', { active: false }, {}, 'product_not_available'],
  [
    '4.14: a price where none is allowed',
    { allowPriceOverride: false },
    { price },
    'price_override_not_allowed',
  ],
  ['4.14: a method of others', {}, { methodKeys: ['stripe', 'paypal'] }, 'method_not_offered'],
  ['4.14: every method, where two are offered', {}, { methodKeys: ['*'] }, 'method_not_offered'],
  [
    '2.1: metadata that is too much when merged',
    { metadata: { a: 'a'.repeat(9000) } },
    { metadata: { b: 'b'.repeat(9000) } },
    'validation_error',
  ],
]

test.each(refusals)('%s is refused', (_, change, requested, code) => {
  expect(codeOf(() => productTerms(product(change), priceRequest(requested)))).toBe(code)
})

test('the template supplies the values that are left out', () => {
  expect(productTerms(product(), priceRequest())).toEqual({
    productId: 'p1',
    productName: 'House blend',
    productImageUrl: null,
    description: null,
    amount: '12.50',
    currency: 'USD',
    methodKeys: ['stripe', 'crypto'],
    metadata: { sku: 1, shelf: 'a' },
    tax: null,
  })
})

const image = 'https://shop.example/own.png'
const terms: [sentence: string, change: Partial<Product>, requested: Partial<PriceRequest>, has: object][] = [
  ['4.14: amount and currency are replaced together', {}, { price }, price],
  ['4.14: some of the methods may be chosen', {}, { methodKeys: ['crypto'] }, { methodKeys: ['crypto'] }],
  [
    '4.14: any method may be chosen where every one is offered',
    { methodKeys: ['*'] },
    { methodKeys: ['paypal'] },
    { methodKeys: ['paypal'] },
  ],
  [
    '4.14: the product’s description stands',
    { description: 'ours' },
    { description: 'theirs' },
    { description: 'ours' },
  ],
  [
    'a description is taken where the product has none',
    {},
    { description: 'theirs' },
    { description: 'theirs' },
  ],
  [
    '4.14: the product’s image stands',
    { imageUrl: 'http://shop.example/a.png' },
    { productImageUrl: image },
    { productImageUrl: 'http://shop.example/a.png' },
  ],
  [
    'an uploaded image is named by its path',
    { imageId: 'abc' },
    { productImageUrl: image },
    { productImageUrl: '/images/abc' },
  ],
  [
    'an image is taken where the product has none',
    {},
    { productImageUrl: image },
    { productImageUrl: image },
  ],
  [
    '4.14: the order’s metadata merges over the product’s',
    {},
    { metadata: { sku: 2, table: 7 } },
    { metadata: { sku: 2, shelf: 'a', table: 7 } },
  ],
]

describe('the terms of a product’s order', () => {
  test.each(terms)('%s', (_, change, requested, has) => {
    expect(productTerms(product(change), priceRequest(requested))).toMatchObject(has)
  })
})

test('an order without a product has its own description, and must have a price and methods', () => {
  const own = priceRequest({ price, methodKeys: ['*'], description: 'mine', metadata: { a: 1 } })
  expect(termsForAmount(own)).toEqual({
    ...price,
    productId: null,
    productName: null,
    productImageUrl: null,
    description: 'mine',
    methodKeys: ['*'],
    metadata: { a: 1 },
    tax: null,
  })
  expect(() => termsForAmount(priceRequest({ price }))).toThrow('Assertion failed')
  expect(() => termsForAmount(priceRequest({ methodKeys: ['*'] }))).toThrow('Assertion failed')
})

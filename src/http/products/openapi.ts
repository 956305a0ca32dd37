import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { ArchivedProducts, CreatedProducts, Product, UpsertedProducts } from './response.ts'

const tag = 'Products'
const read = { scope: 'products:read' } as const
const write = { scope: 'products:write' } as const

export const createProduct = describeOperation('createProduct', {
  tag,
  summary: 'Create a product',
  description: 'A template of orders, with a public checkout page of its own.',
  access: write,
  responses: { 201: ['The product was made.', Product] },
})

export const listProducts = describeOperation('listProducts', {
  tag,
  summary: 'List products',
  description: 'Newest updated first.',
  access: read,
  responses: { 200: ['A page of products.', PageOf(Product)] },
})

export const getProduct = describeOperation('readProduct', {
  tag,
  summary: 'Read a product',
  access: read,
  responses: { 200: ['The product.', Product] },
  refusals: ['not_found'],
})

export const changeProduct = describeOperation('changeProduct', {
  tag,
  summary: 'Change a product',
  description:
    'Members that are left out stay; `orderTemplate` is replaced whole. Orders keep what they were.',
  access: write,
  responses: { 200: ['The product as it is now.', Product] },
  refusals: ['not_found'],
})

export const createProducts = describeOperation('createProducts', {
  tag,
  summary: 'Create many products',
  description: 'All of them or none. The body may have 5.25 MB.',
  access: write,
  responses: { 201: ['The products were made.', CreatedProducts] },
})

export const upsertProducts = describeOperation('upsertProducts', {
  tag,
  summary: 'Create or change many products',
  description:
    'All of them or none, by `productUUID`. Of a product that exists, members that are left out stay. ' +
    'The body may have 5.25 MB.',
  access: write,
  responses: { 200: ['The products as they are now.', UpsertedProducts] },
  refusals: ['forbidden'],
})

export const archiveProducts = describeOperation('archiveProducts', {
  tag,
  summary: 'Archive or restore many products',
  description: 'Every one must exist, or none is changed.',
  access: write,
  responses: { 200: ['The products as they are now.', ArchivedProducts] },
  refusals: ['not_found'],
})

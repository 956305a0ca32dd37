import { describeOperation } from '../openapi/describe.ts'
import { PageOf } from '../schema/response-fields.ts'
import { ArchivedProducts, CreatedProducts, Product, UpsertedProducts } from './response.ts'

const tag = 'Products'
const read = { scope: 'products:read' } as const
const write = { scope: 'products:write' } as const

export const createProduct = describeOperation('createProduct', {
  tag,
  summary: 'Create a product',
  description: 'A product is a template for orders, with its own public checkout page.',
  access: write,
  responses: { 201: ['The product was created.', Product] },
  refusals: ['destination_not_allowed'],
})

export const listProducts = describeOperation('listProducts', {
  tag,
  summary: 'List products',
  description: 'Most recently updated first.',
  access: read,
  responses: { 200: ['A page of products.', PageOf(Product)] },
})

export const getProduct = describeOperation('readProduct', {
  tag,
  summary: 'Get a product',
  access: read,
  responses: { 200: ['The product.', Product] },
  refusals: ['not_found'],
})

export const changeProduct = describeOperation('changeProduct', {
  tag,
  summary: 'Change a product',
  description:
    'Fields that you leave out keep their values; `orderTemplate` is replaced as a whole. Existing ' +
    'orders do not change.',
  access: write,
  responses: { 200: ['The updated product.', Product] },
  refusals: ['not_found', 'destination_not_allowed'],
})

export const createProducts = describeOperation('createProducts', {
  tag,
  summary: 'Create many products',
  description: 'Creates all of the products or none. The body can be up to 5.25 MiB.',
  access: write,
  responses: { 201: ['The products were created.', CreatedProducts] },
  refusals: ['destination_not_allowed'],
})

export const upsertProducts = describeOperation('upsertProducts', {
  tag,
  summary: 'Create or change many products',
  description:
    'Creates or changes products by `productUUID`; either all of them are stored or none. Fields that you ' +
    'leave out of an existing product keep their values. The body can be up to 5.25 MiB.',
  access: write,
  responses: { 200: ['The updated products.', UpsertedProducts] },
  refusals: ['forbidden', 'destination_not_allowed'],
})

export const archiveProducts = describeOperation('changeProductsStatus', {
  tag,
  summary: 'Archive or restore many products',
  description: 'All of the products must exist; otherwise none of them is changed.',
  access: write,
  responses: { 200: ['The updated products.', ArchivedProducts] },
  refusals: ['not_found'],
})

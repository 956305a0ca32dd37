import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { archiveProducts } from '../../operations/products/archive.ts'
import { changeProduct } from '../../operations/products/change.ts'
import { createProducts } from '../../operations/products/create.ts'
import { listProducts, readProduct } from '../../operations/products/read.ts'
import type { ProductView } from '../../operations/products/steps/store.ts'
import { upsertProducts } from '../../operations/products/upsert.ts'
import { presentProduct } from '../../present/product.ts'
import { callerOf, keyed } from '../auth.ts'
import { ProductParams } from '../checkout-products/request.ts'
import { success } from '../envelope.ts'
import { PAGE_SIZE, presentPage, readPageToken } from '../page-token.ts'
import * as docs from './openapi.ts'
import {
  ArchiveProducts,
  ChangeProduct,
  CreateProduct,
  CreateProducts,
  ListProducts,
  UpsertProducts,
} from './request.ts'

/** 5.25 MB, for up to 50 products with their images. */
const BULK_BODY_MAX = 5_505_024

const read = { scope: 'products:read' } as const
const write = { scope: 'products:write' } as const

export const products = (world: World) => new Elysia().use(single(world)).use(bulk(world))

function single(world: World) {
  const present = (view: ProductView) => presentProduct(view, world.policy.checkoutUrl)
  return new Elysia()
    .post(
      '/v1/products',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const [view] = await createProducts(world, merchantId, [body], () => '')
        set.status = 201
        return success(present(view!))
      },
      { ...keyed(world, write), body: CreateProduct, ...docs.createProduct },
    )
    .get(
      '/v1/products',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { pageSize = PAGE_SIZE, pageToken } = query
        const page = await listProducts(world, merchantId, Number(pageSize), readPageToken(pageToken))
        return success(presentPage(page, present))
      },
      { ...keyed(world, read), query: ListProducts, ...docs.listProducts },
    )
    .get(
      '/v1/products/:productUUID',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        return success(present(await readProduct(world, merchantId, params.productUUID)))
      },
      { ...keyed(world, read), params: ProductParams, ...docs.readProduct },
    )
    .patch(
      '/v1/products/:productUUID',
      async ({ body, params, request }) => {
        const { merchantId } = await callerOf(request)
        return success(present(await changeProduct(world, merchantId, params.productUUID, body)))
      },
      { ...keyed(world, write), params: ProductParams, body: ChangeProduct, ...docs.changeProduct },
    )
}

function bulk(world: World) {
  const present = (view: ProductView) => presentProduct(view, world.policy.checkoutUrl)
  return new Elysia()
    .post(
      '/v1/products/bulk',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const views = await createProducts(world, merchantId, body.items, index => `/items/${index}`)
        set.status = 201
        return success({ items: views.map(present), createdCount: views.length })
      },
      { ...keyed(world, write, BULK_BODY_MAX), body: CreateProducts, ...docs.createProducts },
    )
    .put(
      '/v1/products/bulk',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { views, createdCount } = await upsertProducts(world, merchantId, body.items)
        const updatedCount = views.length - createdCount
        return success({ items: views.map(present), createdCount, updatedCount })
      },
      { ...keyed(world, write, BULK_BODY_MAX), body: UpsertProducts, ...docs.upsertProducts },
    )
    .patch(
      '/v1/products/bulk/status',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { productUUIDs, active } = body
        const views = await archiveProducts(world, merchantId, productUUIDs, active)
        return success({ items: views.map(present), updatedCount: views.length, active })
      },
      { ...keyed(world, write), body: ArchiveProducts, ...docs.archiveProducts },
    )
}

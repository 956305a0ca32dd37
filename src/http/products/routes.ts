import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { archiveProducts } from '../../operations/products/archive.ts'
import { changeProduct } from '../../operations/products/change.ts'
import { createProducts } from '../../operations/products/create.ts'
import { getProduct, listProducts } from '../../operations/products/read.ts'
import type { ProductView } from '../../operations/products/steps/store.ts'
import { upsertProducts } from '../../operations/products/upsert.ts'
import { presentProduct } from '../../present/product.ts'
import { callerOf, requireKey } from '../auth.ts'
import { ProductParams } from '../checkout-products/request.ts'
import { success } from '../envelope.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
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

export const products = (context: Context) => new Elysia().use(single(context)).use(bulk(context))

function single(context: Context) {
  const present = (view: ProductView) => presentProduct(view, context.policy.checkoutUrl)
  return new Elysia()
    .post(
      '/v1/products',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const [view] = await createProducts(context, merchantId, [body], () => '')
        set.status = 201
        return success(present(view!))
      },
      { ...requireKey(context, write), body: CreateProduct, ...docs.createProduct },
    )
    .get(
      '/v1/products',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { pageSize = PAGE_SIZE, pageToken } = query
        const page = await listProducts(context, merchantId, Number(pageSize), parsePageToken(pageToken))
        return success(presentPage(page, present))
      },
      { ...requireKey(context, read), query: ListProducts, ...docs.listProducts },
    )
    .get(
      '/v1/products/:productUUID',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        return success(present(await getProduct(context, merchantId, params.productUUID)))
      },
      { ...requireKey(context, read), params: ProductParams, ...docs.getProduct },
    )
    .patch(
      '/v1/products/:productUUID',
      async ({ body, params, request }) => {
        const { merchantId } = await callerOf(request)
        return success(present(await changeProduct(context, merchantId, params.productUUID, body)))
      },
      { ...requireKey(context, write), params: ProductParams, body: ChangeProduct, ...docs.changeProduct },
    )
}

function bulk(context: Context) {
  const present = (view: ProductView) => presentProduct(view, context.policy.checkoutUrl)
  return new Elysia()
    .post(
      '/v1/products/bulk',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const views = await createProducts(context, merchantId, body.items, index => `/items/${index}`)
        set.status = 201
        return success({ items: views.map(present), createdCount: views.length })
      },
      { ...requireKey(context, write, BULK_BODY_MAX), body: CreateProducts, ...docs.createProducts },
    )
    .put(
      '/v1/products/bulk',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { views, createdCount } = await upsertProducts(context, merchantId, body.items)
        const updatedCount = views.length - createdCount
        return success({ items: views.map(present), createdCount, updatedCount })
      },
      { ...requireKey(context, write, BULK_BODY_MAX), body: UpsertProducts, ...docs.upsertProducts },
    )
    .patch(
      '/v1/products/bulk/status',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { productUUIDs, active } = body
        const views = await archiveProducts(context, merchantId, productUUIDs, active)
        return success({ items: views.map(present), updatedCount: views.length, active })
      },
      { ...requireKey(context, write), body: ArchiveProducts, ...docs.archiveProducts },
    )
}

import { Elysia } from 'elysia'
import { asserted } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { archiveProducts } from '../../operations/products/archive.ts'
import { changeProduct } from '../../operations/products/change.ts'
import { createProducts } from '../../operations/products/create.ts'
import { getProduct, listProducts } from '../../operations/products/read.ts'
import type { ProductView } from '../../operations/products/steps/store.ts'
import { upsertProducts } from '../../operations/products/upsert.ts'
import { presentProduct } from '../../present/product.ts'
import { callerOf, contextOf, requireKey } from '../auth.ts'
import { ProductParams } from '../checkout-products/request.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import {
  ArchiveProducts,
  ChangeProduct,
  CreateProduct,
  CreateProducts,
  ListProducts,
  UpsertProducts,
} from './request.ts'

/** The limits of a bulk request: 5.25 MiB, for up to 50 products with their images. */
const BULK_LIMITS = { bytes: 5_505_024, values: 100_000 }

export const products = (context: Context) => new Elysia().use(single(context)).use(bulk(context))

function single(context: Context) {
  const present = (view: ProductView) => presentProduct(view, context.policy.checkoutUrl)
  return new Elysia()
    .post(
      '/v1/products',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const [view] = await createProducts(await contextOf(context, request), merchantId, [body], () => '')
        set.status = 201
        return respond(docs.createProduct, present(asserted(view, 'each product has a view')))
      },
      { ...requireKey(context, docs.createProduct), body: CreateProduct },
    )
    .get(
      '/v1/products',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { pageSize = PAGE_SIZE, pageToken } = query
        const page = await listProducts(context, merchantId, Number(pageSize), parsePageToken(pageToken))
        return respond(docs.listProducts, presentPage(page, present))
      },
      { ...requireKey(context, docs.listProducts), query: ListProducts },
    )
    .get(
      '/v1/products/:productUUID',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        return respond(docs.getProduct, present(await getProduct(context, merchantId, params.productUUID)))
      },
      { ...requireKey(context, docs.getProduct), params: ProductParams },
    )
    .patch(
      '/v1/products/:productUUID',
      async ({ body, params, request }) => {
        const { merchantId } = await callerOf(request)
        return respond(
          docs.changeProduct,
          present(
            await changeProduct(await contextOf(context, request), merchantId, params.productUUID, body),
          ),
        )
      },
      { ...requireKey(context, docs.changeProduct), params: ProductParams, body: ChangeProduct },
    )
}

function bulk(context: Context) {
  const present = (view: ProductView) => presentProduct(view, context.policy.checkoutUrl)
  return new Elysia()
    .post(
      '/v1/products/bulk',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const views = await createProducts(
          await contextOf(context, request),
          merchantId,
          body.items,
          index => `/items/${index}`,
        )
        set.status = 201
        return respond(docs.createProducts, { items: views.map(present), createdCount: views.length })
      },
      { ...requireKey(context, docs.createProducts, BULK_LIMITS), body: CreateProducts },
    )
    .put(
      '/v1/products/bulk',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { views, createdCount } = await upsertProducts(
          await contextOf(context, request),
          merchantId,
          body.items,
        )
        const updatedCount = views.length - createdCount
        return respond(docs.upsertProducts, { items: views.map(present), createdCount, updatedCount })
      },
      { ...requireKey(context, docs.upsertProducts, BULK_LIMITS), body: UpsertProducts },
    )
    .patch(
      '/v1/products/bulk/status',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { productUUIDs, active } = body
        const views = await archiveProducts(
          await contextOf(context, request),
          merchantId,
          productUUIDs,
          active,
        )
        return respond(docs.archiveProducts, {
          items: views.map(present),
          updatedCount: views.length,
          active,
        })
      },
      { ...requireKey(context, docs.archiveProducts), body: ArchiveProducts },
    )
}

import type { AuditFields } from '../../../domain/audit.ts'
import { Refusal } from '../../../domain/errors.ts'
import { newProduct, type Product, type ProductImage } from '../../../domain/product.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { authorOf, userIdOf } from '../../notices/author.ts'
import { notifyOf } from '../../notices/notify.ts'
import type { ProductChange, TemplateMember } from './parse-request.ts'

/** A product with everything that responses show. */
export interface ProductView {
  product: Product
  image: ProductImage | null
}

/** Returns a product of this merchant. Throws not_found for any other. */
export async function requireProduct(tables: Tables, merchantId: string, id: string): Promise<Product> {
  const product = await tables.products.find(id.toLowerCase())
  if (product?.merchantId !== merchantId) throw new Refusal('not_found', 'No product has this ID.')
  return product
}

/** Adds the images to products, loading each image once. */
export async function withImages(tables: Tables, products: Product[]): Promise<ProductView[]> {
  const images = new Map<string, ProductImage | null>()
  for (const { imageId } of products) {
    if (imageId !== null && !images.has(imageId)) images.set(imageId, await tables.images.find(imageId))
  }
  return products.map(product => ({ product, image: images.get(product.imageId ?? '') ?? null }))
}

/**
 * A time later than every other change of the merchant's products, so that lists show the latest change
 * first.
 */
export async function nextInstant(
  context: Pick<Context, 'clock'>,
  tables: Tables,
  merchantId: string,
): Promise<number> {
  const [newest] = await tables.products.list(merchantId, 1, null)
  return Math.max(context.clock(), (newest?.updatedAt ?? 0) + 1)
}

/** A product as the audit log shows it: the price, what it is for, and how it can be paid. */
const auditFields = (product: Product): AuditFields => {
  const { name, active, allowPriceOverride, amount, currency, methodKeys } = product
  return { name, active, allowPriceOverride, amount, currency, paymentMethodsKeys: methodKeys }
}

const recordChange = (context: AuditContext, tables: Tables, known: Product | null, product: Product) =>
  recordAudit(context, tables, {
    merchantId: product.merchantId,
    action: known ? 'product.changed' : 'product.created',
    subject: `product:${product.id}`,
    before: known && auditFields(known),
    after: auditFields(product),
  })

export async function addProduct(
  context: AuditContext,
  tables: Tables,
  id: string,
  merchantId: string,
  { members, image }: ProductChange<TemplateMember>,
  now: number,
): Promise<Product> {
  const product = newProduct({ ...members, id, merchantId, createdAt: now, updatedAt: now })
  if (image) await tables.images.insertIfNew(image)
  await tables.products.insert(product)
  await recordChange(context, tables, null, product)
  return product
}

const priceOf = ({ amount, currency }: Product): string => `${amount} ${currency}`

/**
 * Notifies the other owners of a price that a person changed. Changes by programs are left out, because a
 * program may change many prices at once.
 */
async function notePrice(
  context: AuditContext,
  tables: Tables,
  known: Product,
  product: Product,
): Promise<void> {
  const [before, after] = [priceOf(known), priceOf(product)]
  if (before === after || userIdOf(context.origin.actor) === null) return
  const author = await authorOf(context, tables)
  const facts = { about: 'price_changed', product: product.name, before, after, ...author } as const
  await notifyOf(context, tables, product.merchantId, facts)
}

export async function alterProduct(
  context: AuditContext,
  tables: Tables,
  product: Product,
  { members, image }: ProductChange,
  now: number,
): Promise<Product> {
  const change = { ...members, updatedAt: now }
  if (image) await tables.images.insertIfNew(image)
  await tables.products.update(product.id, change)
  const changed = { ...product, ...change }
  await recordChange(context, tables, product, changed)
  await notePrice(context, tables, product, changed)
  return changed
}

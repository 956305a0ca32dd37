import { createHash } from 'node:crypto'
import { invalid } from '../../../domain/errors.ts'
import { parseBase64Image, productImageSize } from '../../../domain/image.ts'
import { checkMetadata, type Metadata } from '../../../domain/metadata.ts'
import { parseAmount } from '../../../domain/money.ts'
import { checkMethodKeys } from '../../../domain/payment-methods.ts'
import type { Product, ProductImage } from '../../../domain/product.ts'
import type { TaxClass } from '../../../domain/tax.ts'
import type { Context } from '../../context.ts'

interface TemplateInput {
  amount: string
  currency: string
  paymentMethodsKeys: string[]
  metadata?: Metadata | undefined
}

/** The body of a request to change a product. */
export interface ProductInput {
  name?: string | undefined
  description?: string | null | undefined
  imageUrl?: string | null | undefined
  imageBase64?: string | undefined
  imageDisplaySize?: number | undefined
  active?: boolean | undefined
  allowPriceOverride?: boolean | undefined
  orderTemplate?: TemplateInput | undefined
}

/** Properties of a product that the dashboard can change and the API cannot. */
export interface ProductExtras {
  taxClass?: TaxClass | undefined
}

/** The body of a request to create a product. */
export interface NewProduct extends ProductInput {
  name: string
  orderTemplate: TemplateInput
}

/** The properties in a valid request, and its uploaded image. */
export interface ProductChange<Required extends keyof Product = never> {
  members: Partial<Product> & Pick<Product, Required>
  image: ProductImage | null
}

type Template = Pick<Product, 'amount' | 'currency' | 'methodKeys' | 'metadata'>
export type TemplateMember = 'name' | keyof Template

/** Checks everything that can be decided from the body alone. `at` is the product's path in the body. */
export async function parseProductChange(
  context: Pick<Context, 'clock' | 'images' | 'outbound'>,
  merchantId: string,
  input: ProductInput & ProductExtras,
  at = '',
): Promise<ProductChange> {
  const { name, description, imageDisplaySize, active, allowPriceOverride, orderTemplate } = input
  const named = { name, description, imageDisplaySize, active, allowPriceOverride, taxClass: input.taxClass }
  const plain = Object.entries(named).filter(([, value]) => value !== undefined)
  const template = orderTemplate && readTemplate(orderTemplate, `${at}/orderTemplate`)
  const { image, ...imageChange } = await getImage(context, merchantId, input, at)
  return { members: { ...Object.fromEntries(plain), ...template, ...imageChange }, image }
}

/** Parses a body that must have every required property. */
export const parseNewProduct = (
  context: Pick<Context, 'clock' | 'images' | 'outbound'>,
  merchantId: string,
  input: NewProduct & ProductExtras,
  at: string,
) => parseProductChange(context, merchantId, input, at) as Promise<ProductChange<TemplateMember>>

function readTemplate(template: TemplateInput, at: string): Template {
  const { amount, currency, paymentMethodsKeys, metadata = {} } = template
  return {
    amount: parseAmount(amount, currency, at),
    currency,
    methodKeys: checkMethodKeys(paymentMethodsKeys, `${at}/paymentMethodsKeys`),
    metadata: checkMetadata(metadata, `${at}/metadata`),
  }
}

type ImageChange = Partial<Pick<Product, 'imageUrl' | 'imageId'>> & { image: ProductImage | null }

async function getImage(
  context: Pick<Context, 'clock' | 'images' | 'outbound'>,
  merchantId: string,
  { imageUrl, imageBase64 }: ProductInput,
  at: string,
): Promise<ImageChange> {
  if (imageUrl) context.outbound.webhook.checkImage(imageUrl, `${at}/imageUrl`)
  if (imageBase64 === undefined)
    return { image: null, ...(imageUrl !== undefined && { imageUrl, imageId: null }) }
  const path = `${at}/imageBase64`
  if (imageUrl !== undefined) throw invalid(path, 'must not be sent together with imageUrl')
  const { type, bytes: uploaded } = parseBase64Image(imageBase64, path)
  const result = await context.images.read(type, uploaded, productImageSize)
  if ('problem' in result) throw invalid(path, `must ${result.problem}`)
  const { bytes } = result
  const id = createHash('sha256').update(merchantId).update(bytes).digest('hex')
  const image = { id, merchantId, type, bytes, createdAt: context.clock() }
  return { image, imageUrl: null, imageId: id }
}

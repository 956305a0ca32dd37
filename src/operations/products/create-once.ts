import { canonical } from '../../domain/canonical-json.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Product } from '../../domain/product.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { type NewProduct, type ProductExtras, parseNewProduct } from './steps/parse-request.ts'
import { addProduct, nextInstant } from './steps/store.ts'

/**
 * Creates a product with an ID that the caller chose for this request. Repeating the request changes nothing;
 * a different request with the same ID is refused, because it was not meant to change the first product.
 */
export async function createProductOnce(
  context: AuditContext & Pick<Context, 'storage' | 'images' | 'outbound'>,
  merchantId: string,
  { productUUID, ...input }: NewProduct & ProductExtras & { productUUID: string },
): Promise<void> {
  const id = productUUID.toLowerCase()
  const request = await parseNewProduct(context, merchantId, input, '')
  await context.storage.write(async tables => {
    const known = await tables.products.find(id)
    if (!known) {
      const now = await nextInstant(context, tables, merchantId)
      await addProduct(context, tables, id, merchantId, request, now)
      return
    }
    if (known.merchantId !== merchantId) throw new Refusal('forbidden')
    const names = Object.keys(request.members) as (keyof Product)[]
    const isSame = names.every(name => canonical(known[name]) === canonical(request.members[name]))
    if (!isSame) throw new Refusal('idempotency_key_reused')
  })
}

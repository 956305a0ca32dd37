import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { legacyStateOf } from '../../domain/greenfield.ts'
import type { Metadata } from '../../domain/metadata.ts'
import type { Amount } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import { EXTENDED, NOTIFICATION_URL } from '../../operations/webhooks/steps/record-ipn.ts'
import { URL_MAX } from '../schema/fields.ts'
import { Nullable, Optional, UnicodeString } from '../schema/types.ts'
import { type InvoiceInput, OpenObject } from './request.ts'

const Text = (maxLength: number) => Optional(Nullable(UnicodeString({ maxLength })))
const Identifier = Optional(Nullable(Type.Union([UnicodeString({ maxLength: 128 }), Type.Number()])))

/** An invoice of the older API. Its clients spell `orderId` in two ways. */
export const NewLegacyInvoice = OpenObject({
  price: Type.Union([UnicodeString({ maxLength: 40 }), Type.Number()]),
  currency: Text(10),
  orderId: Identifier,
  orderID: Identifier,
  posData: Optional(Nullable(Type.Union([UnicodeString({ maxLength: 8192 }), Type.Number()]))),
  itemDesc: Text(1000),
  itemCode: Text(1000),
  buyerEmail: Text(1000),
  buyerName: Text(1000),
  buyer: Optional(Nullable(OpenObject({ email: Text(1000), name: Text(1000) }))),
  redirectURL: Text(URL_MAX),
  notificationURL: Text(URL_MAX),
  extendedNotifications: Optional(Nullable(Type.Boolean())),
})

/** The URL to which the notifications of an invoice are sent; null if its plugin wants none. */
export const notificationUrlOf = ({ notificationURL }: Static<typeof NewLegacyInvoice>): string | null =>
  notificationURL || null

/** An invoice of the older API as one of the newer API. The buyer is stored as the customer alone. */
export function invoiceOf(given: Static<typeof NewLegacyInvoice>): InvoiceInput {
  const { price, currency, posData, itemDesc, itemCode, buyer, redirectURL } = given
  const orderId = given.orderId ?? given.orderID
  const url = notificationUrlOf(given)
  const metadata: Metadata = {
    ...(orderId != null && { orderId: String(orderId) }),
    ...(posData != null && { posData: String(posData) }),
    ...(itemDesc && { itemDesc }),
    ...(itemCode && { itemCode }),
    ...(url && { [NOTIFICATION_URL]: url }),
    ...(given.extendedNotifications && { [EXTENDED]: true }),
  }
  return {
    amount: price,
    currency: currency ?? null,
    metadata,
    buyer: { email: buyer?.email ?? given.buyerEmail ?? null, name: buyer?.name ?? given.buyerName ?? null },
    checkout: { redirectURL: redirectURL ?? null },
  }
}

interface Surroundings {
  checkoutUrl: string
  now: number
}

/** An order as an invoice of the older API. */
export function presentLegacyInvoice(order: Order, paid: Amount, { checkoutUrl, now }: Surroundings) {
  const { id, amount, currency, externalId, description, metadata, returnUrl, createdAt, expiresAt } = order
  return {
    id,
    url: `${checkoutUrl}/pay/${id}`,
    ...legacyStateOf(order),
    // Clients expect numbers. JSON has the same digits, because amounts have at most 15.
    price: Number(amount),
    amountPaid: Number(paid),
    currency,
    orderId: metadata.orderId ?? externalId,
    posData: metadata.posData ?? null,
    itemDesc: description,
    itemCode: metadata.itemCode ?? null,
    redirectURL: returnUrl,
    notificationURL: metadata[NOTIFICATION_URL] ?? null,
    invoiceTime: createdAt,
    expirationTime: expiresAt,
    currentTime: now,
    token: null,
  }
}

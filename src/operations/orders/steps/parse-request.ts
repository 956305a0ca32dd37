import { invalid } from '../../../domain/errors.ts'
import { checkMetadata, type Metadata } from '../../../domain/metadata.ts'
import { parseAmount } from '../../../domain/money.ts'
import { oneLineOf } from '../../../domain/name.ts'
import { YEAR_MS } from '../../../domain/order.ts'
import type { Price, PriceRequest } from '../../../domain/order-terms.ts'
import { checkMethodKeys } from '../../../domain/payment-methods.ts'
import type { TaxPayer } from '../../../domain/tax.ts'
import { parseTimestamp } from '../../../domain/timestamp.ts'
import { checkPayoutAddress } from '../../addresses/steps/check-payout.ts'
import type { Context } from '../../context.ts'
import { parseTaxPayer, type TaxPayerInput } from './tax-payer.ts'

export interface CustomerInput {
  email: string
  fullName?: string | null | undefined
}

/** The body of a request to create an order. */
export interface NewOrder {
  productUUID?: string | undefined
  amount?: string | undefined
  currency?: string | undefined
  paymentMethodsKeys?: string[] | undefined
  externalId?: string | null | undefined
  receivingWallet?: string | undefined
  customer: CustomerInput
  description?: string | undefined
  productImageUrl?: string | undefined
  returnUrl?: string | undefined
  expiresAt?: string | undefined
  metadata?: Metadata | undefined
}

/** An order of the API, or of a form in which the buyer's country is asked for first. */
export interface OrderInput extends NewOrder {
  /** a new UUID, if the order's other fields contain it; by default one is made */
  id?: string | undefined
  taxPayer?: TaxPayerInput | undefined
}

/** A valid request, with parsed values. */
export interface OrderRequest extends PriceRequest {
  id?: string | undefined
  productId: string | null
  externalId: string | null
  receivingWallet: string | null
  returnUrl: string | null
  expiresAt: number
  email: string
  fullName: string
  /** null if the amount is final and contains the tax */
  payer: TaxPayer | null
}

/** Checks everything that can be decided from the body alone. */
export async function parseOrderRequest(
  context: Pick<Context, 'clock' | 'networks' | 'outbound' | 'policy'>,
  input: OrderInput,
): Promise<OrderRequest> {
  const { receivingWallet, returnUrl, productImageUrl } = input
  if (receivingWallet && !context.networks.isAddress('evm', receivingWallet)) {
    throw invalid('/receivingWallet', 'must be an EVM address with a valid checksum')
  }
  if (receivingWallet) checkPayoutAddress(context, 'evm', receivingWallet, '/receivingWallet')
  const request: OrderRequest = {
    id: input.id,
    productId: input.productUUID?.toLowerCase() ?? null,
    price: readPrice(input),
    methodKeys: input.paymentMethodsKeys ? checkMethodKeys(input.paymentMethodsKeys) : null,
    description: input.description ?? null,
    productImageUrl: productImageUrl ?? null,
    metadata: checkMetadata(input.metadata ?? {}),
    externalId: input.externalId ?? null,
    receivingWallet: receivingWallet ?? null,
    returnUrl: returnUrl ?? null,
    expiresAt: readExpiry(input.expiresAt, context.clock()) ?? context.clock() + context.policy.orderExpiryMs,
    email: input.customer.email,
    fullName: oneLineOf(input.customer.fullName ?? ''),
    payer: input.taxPayer === undefined ? null : parseTaxPayer(input.taxPayer),
  }
  if (request.productId === null) requireAdHoc(request)
  await checkUrls(context, input)
  return request
}

async function checkUrls({ outbound }: Pick<Context, 'outbound'>, { productImageUrl, returnUrl }: NewOrder) {
  if (productImageUrl !== undefined) outbound.webhook.checkImage(productImageUrl, '/productImageUrl')
  if (returnUrl !== undefined) await outbound.webhook.check(returnUrl, '/returnUrl', false)
}

function requireAdHoc({ price, methodKeys }: OrderRequest): void {
  if (!price) throw invalid('/amount', 'is required, together with currency, when productUUID is not sent')
  if (!methodKeys) throw invalid('/paymentMethodsKeys', 'is required when productUUID is not sent')
}

function readPrice({ amount, currency }: NewOrder): Price | null {
  if (amount === undefined && currency === undefined) return null
  if (currency === undefined) throw invalid('/currency', 'must be sent together with amount')
  if (amount === undefined) throw invalid('/amount', 'must be sent together with currency')
  return { amount: parseAmount(amount, currency), currency }
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null
  const at = parseTimestamp(text)
  if (at === null) throw invalid('/expiresAt', 'must be an ISO 8601 date-time with an offset')
  if (at <= now) throw invalid('/expiresAt', 'must be in the future')
  if (at > now + YEAR_MS) throw invalid('/expiresAt', 'must be at most one year ahead')
  return at
}

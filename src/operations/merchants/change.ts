import type { AuditAction } from '../../domain/audit-action.ts'
import { asserted, Refusal, staleForm } from '../../domain/errors.ts'
import type { CryptoFirst, LatePolicy, Merchant } from '../../domain/merchant.ts'
import type { SecondFactorPolicy } from '../../domain/user.ts'
import { auditedMerchant } from '../audit/audited-merchant.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context, Tables } from '../context.ts'
import {
  checkCurrency,
  checkFeePercent,
  checkLanguage,
  checkName,
  checkTimeZone,
  checkTolerance,
} from './create.ts'
import { type BrandChange, parseBrand } from './steps/parse-brand.ts'
import { parseFundsReminder } from './steps/parse-funds-reminder.ts'
import { type InvoicingChange, parseInvoicing } from './steps/parse-invoicing.ts'
import { parseTax, type TaxInput } from './steps/parse-tax.ts'

interface MerchantChange extends BrandChange, InvoicingChange {
  name?: string | undefined
  /** an empty string removes it */
  returnUrl?: string | undefined
  feePercent?: string | undefined
  /** owner of the addresses that buyers pay coins to, if both the merchant and a provider have one */
  cryptoFirst?: CryptoFirst | undefined
  tolerance?: string | undefined
  late?: LatePolicy | undefined
  timeZone?: string | undefined
  /** an empty string removes it */
  currency?: string | undefined
  /** language of messages to the merchant's own address */
  language?: string | undefined
  secondFactor?: SecondFactorPolicy | undefined
  staffPrices?: boolean | undefined
  status?: Merchant['status'] | undefined
  /** an amount in the shop's currency; an empty string removes it */
  fundsReminder?: string | undefined
  /** null if the shop does not use tax settings */
  tax?: TaxInput | null | undefined
}

interface ChangeOptions {
  /** `updatedAt` of the merchant as the caller saw it: later changes by others are not overwritten */
  updatedAt?: number | undefined
  /** changes that follow from this one, in the same write */
  also?: (tables: Tables, before: Merchant, after: Merchant) => Promise<void>
}

/** Changes the given properties. Existing orders keep their snapshots. */
export async function changeMerchant(
  context: AuditContext & Pick<Context, 'storage' | 'outbound' | 'images'>,
  id: string,
  input: MerchantChange,
  { updatedAt: seen, also }: ChangeOptions = {},
): Promise<Merchant> {
  const change: Partial<Merchant> = {}
  if (input.name !== undefined) change.name = checkName(input.name)
  if (input.feePercent !== undefined) change.feePercent = checkFeePercent(input.feePercent)
  if (input.cryptoFirst !== undefined) change.cryptoFirst = input.cryptoFirst
  if (input.tolerance !== undefined) change.tolerance = checkTolerance(input.tolerance)
  if (input.late !== undefined) change.late = input.late
  Object.assign(change, localChange(input))
  if (input.secondFactor !== undefined) change.secondFactor = input.secondFactor
  if (input.staffPrices !== undefined) change.staffPrices = input.staffPrices
  if (input.status !== undefined) change.status = input.status
  if (input.returnUrl !== undefined) {
    if (input.returnUrl !== '') await context.outbound.webhook.check(input.returnUrl, 'return-url', false)
    change.returnUrl = input.returnUrl === '' ? null : input.returnUrl
  }
  const { image, ...brand } = await parseBrand(context, id, input)
  Object.assign(change, brand)
  return context.storage.write(async tables => {
    const known = await tables.merchants.find(id)
    if (!known) throw new Refusal('not_found', 'No merchant has this ID.')
    if (seen !== undefined && known.updatedAt !== seen) throw staleForm()
    change.invoicing = parseInvoicing(input, known)
    if (input.fundsReminder !== undefined) {
      const { currency } = { ...known, ...change }
      change.fundsReminder = parseFundsReminder(input.fundsReminder.trim(), currency)
    }
    // Two changes within a millisecond have to differ.
    const updatedAt = Math.max(context.clock(), known.updatedAt + 1)
    const changed = await tables.merchants.update(id, { ...change, updatedAt })
    const merchant = asserted(changed, 'a merchant that was found is changed')
    if (image) await tables.images.insertIfNew(image)
    await recordAudit(context, tables, {
      merchantId: id,
      action: actionOf(known, merchant),
      subject: 'merchant',
      before: auditedMerchant(known),
      after: auditedMerchant(merchant),
    })
    await also?.(tables, known, merchant)
    return merchant
  })
}

function localChange({ timeZone, currency, language, tax }: MerchantChange): Partial<Merchant> {
  return {
    ...(tax !== undefined && { tax: tax && parseTax(tax) }),
    ...(timeZone !== undefined && { timeZone: checkTimeZone(timeZone) }),
    ...(currency !== undefined && { currency: currency === '' ? null : checkCurrency(currency) }),
    ...(language !== undefined && { language: checkLanguage(language) }),
  }
}

function actionOf(known: Merchant, { status }: Merchant): AuditAction {
  if (known.status === status) return 'merchant.changed'
  return status === 'suspended' ? 'merchant.suspended' : 'merchant.resumed'
}

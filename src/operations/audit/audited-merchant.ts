import type { AuditFields } from '../../domain/audit.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Json } from '../../domain/metadata.ts'

type Setting = Exclude<keyof Merchant, 'id' | 'createdAt' | 'updatedAt'>

/** A merchant as the audit log shows it. The compiler checks that every setting is there. */
export const auditedMerchant = (merchant: Merchant): AuditFields => {
  const { email, name, feePercent, status, returnUrl, cryptoFirst, tolerance, late, timeZone, currency } =
    merchant
  const { language, secondFactor, staffPrices, tax, invoicing, fundsReminder } = merchant
  const { logo, color, supportEmail, supportUrl, termsUrl, privacyUrl, searchable } = merchant
  const { receipts, paymentMails, embedOrigins } = merchant
  const account = {
    email,
    name,
    feePercent,
    status,
    returnUrl,
    cryptoFirst,
    tolerance,
    late,
    timeZone,
    currency,
    language,
    secondFactor,
    staffPrices,
    tax: tax && { ...tax, rates: tax.rates.map(rates => ({ ...rates })) },
    invoicing: invoicing && { ...invoicing, seller: { ...invoicing.seller } },
    fundsReminder: fundsReminder && { ...fundsReminder },
  }
  const brand = {
    logo: logo && { ...logo },
    color,
    supportEmail,
    supportUrl,
    termsUrl,
    privacyUrl,
    searchable,
    receipts,
    paymentMails,
    embedOrigins: embedOrigins && [...embedOrigins],
  }
  return { ...account, ...brand } satisfies Record<Setting, Json>
}

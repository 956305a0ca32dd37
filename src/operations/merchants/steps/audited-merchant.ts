import type { AuditFields } from '../../../domain/audit.ts'
import type { Merchant } from '../../../domain/merchant.ts'

/** What the audit log says about a merchant. */
export const auditedMerchant = (merchant: Merchant): AuditFields => {
  const { email, name, feePercent, status, returnUrl, supportEmail, cryptoFirst } = merchant
  return { email, name, feePercent, status, returnUrl, supportEmail, cryptoFirst }
}

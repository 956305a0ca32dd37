import type { AuditFields } from '../../../domain/audit.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { Json } from '../../../domain/metadata.ts'

type Setting = Exclude<keyof Merchant, 'id' | 'createdAt' | 'updatedAt'>

/** What the audit log says about a merchant: every setting, as the compiler checks. */
export const auditedMerchant = (merchant: Merchant): AuditFields => {
  const { email, name, feePercent, status, returnUrl, supportEmail, cryptoFirst, tolerance, late } = merchant
  const settings = { email, name, feePercent, status, returnUrl, supportEmail, cryptoFirst, tolerance, late }
  return settings satisfies Record<Setting, Json>
}

import { type Brand, plainBrand } from '../../domain/brand.ts'
import { timeZoneNamed } from '../../domain/calendar.ts'
import { currencyDecimals } from '../../domain/currency.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { feePercentPattern } from '../../domain/fee.ts'
import { joinWithOr } from '../../domain/join-with-or.ts'
import { isEmail, type Merchant, NAME_MAX } from '../../domain/merchant.ts'
import { checkNameOf } from '../../domain/name.ts'
import type { ProductImage } from '../../domain/product.ts'
import { DEFAULT_TOLERANCE, tolerancePattern } from '../../domain/tolerance.ts'
import { type PeopleLanguage, peopleLanguages } from '../../domain/user.ts'
import { auditedMerchant } from '../audit/audited-merchant.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'

interface NewMerchant {
  /** a new ID by default */
  id?: string
  /** already checked; a new logo is in `image` */
  brand?: Partial<Brand>
  image?: ProductImage | null
  email: string
  name: string
  feePercent?: string | undefined
  currency?: string | undefined
  timeZone?: string | undefined
  /** language of messages to the merchant's own address */
  language?: string | undefined
}

export function checkFeePercent(percent: string): string {
  if (!feePercentPattern.test(percent)) {
    throw invalid('fee-percent', 'must be a percentage from 0 to 89.9999, or 99, with at most 4 decimals')
  }
  return percent
}

export function checkTolerance(percent: string): string {
  if (!tolerancePattern.test(percent)) {
    throw invalid('tolerance', 'must be a percentage from 0 to 5, with at most 4 decimals')
  }
  return percent
}

export function checkTimeZone(name: string): string {
  const timeZone = timeZoneNamed(name.trim())
  if (timeZone === null) {
    throw invalid('time-zone', 'must be the name of a time zone, such as Europe/Berlin or UTC')
  }
  return timeZone
}

export function checkCurrency(code: string): string {
  const currency = code.trim().toUpperCase()
  if (currencyDecimals(currency) === undefined) {
    throw invalid('currency', 'must be the code of a currency in use, such as USD or EUR')
  }
  return currency
}

export function checkLanguage(language: string): PeopleLanguage {
  const known = peopleLanguages.find(one => one === language)
  if (!known) throw invalid('language', `must be ${joinWithOr(peopleLanguages)}`)
  return known
}

export const checkName = (name: string): string => checkNameOf(name, NAME_MAX, 'name')

export function checkEmail(email: string, at = 'email'): string {
  if (!isEmail(email)) throw invalid(at, 'must be an email address')
  return email
}

/** Creates a merchant. E-mail addresses are unique. */
export async function createMerchant(
  context: AuditContext & Pick<Context, 'storage'>,
  input: NewMerchant,
): Promise<Merchant> {
  const now = context.clock()
  const merchant: Merchant = {
    id: input.id ?? context.ids.uuid(),
    email: checkEmail(input.email),
    name: checkName(input.name),
    feePercent: checkFeePercent(input.feePercent ?? '0'),
    status: 'active',
    returnUrl: null,
    ...plainBrand,
    ...input.brand,
    cryptoFirst: 'own',
    tolerance: DEFAULT_TOLERANCE,
    late: 'settle',
    timeZone: input.timeZone ? checkTimeZone(input.timeZone) : 'UTC',
    language: input.language ? checkLanguage(input.language) : 'en',
    secondFactor: 'optional',
    currency: input.currency ? checkCurrency(input.currency) : null,
    staffPrices: false,
    tax: null,
    invoicing: null,
    fundsReminder: null,
    createdAt: now,
    updatedAt: now,
  }
  await context.storage.write(async tables => {
    if (await tables.merchants.findByEmail(merchant.email)) {
      const message = 'Another merchant already uses this email address.'
      throw new Refusal('conflict', message, { reason: { kind: 'email_taken' } })
    }
    await tables.merchants.insert(merchant)
    if (input.image) await tables.images.insertIfNew(input.image)
    await recordAudit(context, tables, {
      merchantId: merchant.id,
      action: 'merchant.created',
      subject: 'merchant',
      before: null,
      after: auditedMerchant(merchant),
    })
  })
  return merchant
}

import {
  type SettingsField,
  type SettingsModel,
  settingsBody,
  settingsFields,
} from '../../../views/dashboard/settings.ts'
import type { Refusal } from '../../domain/errors.ts'
import { latePolicies, type Merchant } from '../../domain/merchant.ts'
import { secondFactorPolicies } from '../../domain/user.ts'
import { getWallet } from '../../operations/addresses/wallet.ts'
import { changeMerchant } from '../../operations/merchants/change.ts'
import { acceptCoins, listUsableMethods } from '../../operations/payments/accept-coins.ts'
import { readPayouts } from '../../operations/payments/read-payouts.ts'
import { listProducts } from '../../operations/products/read.ts'
import { productCheckoutUrl } from '../../present/product-checkout.ts'
import { currencyChoices, timeZoneChoices } from './choices.ts'
import { oneOf, optional } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import { lookOf } from './look.ts'
import { readUpload, UploadForm } from './multipart.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import { staleText, versionIn } from './stale.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/settings'

type Values = SettingsModel['values']
type Upload = typeof UploadForm.static

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

const valuesOf = (merchant: Merchant): Values => ({
  name: merchant.name,
  color: merchant.color ?? '',
  supportEmail: merchant.supportEmail ?? '',
  supportUrl: merchant.supportUrl ?? '',
  returnUrl: merchant.returnUrl ?? '',
  termsUrl: merchant.termsUrl ?? '',
  privacyUrl: merchant.privacyUrl ?? '',
  searchable: yesOrNo(merchant.searchable),
  receipts: yesOrNo(merchant.receipts),
  paymentMails: merchant.paymentMails === null ? 'same' : yesOrNo(merchant.paymentMails),
  embedOrigins: merchant.embedOrigins?.join(' ') ?? '',
  late: merchant.late,
  tolerance: merchant.tolerance,
  timeZone: merchant.timeZone,
  currency: merchant.currency ?? '',
  language: merchant.language,
  secondFactor: merchant.secondFactor,
  staffPrices: yesOrNo(merchant.staffPrices),
})

/** The entered values of the fields that this form may change. The fee, for example, is not such a field. */
const enteredIn = ({ fields }: Upload): Partial<Values> =>
  Object.fromEntries(
    settingsFields.flatMap(name => (fields[name] === undefined ? [] : [[name, fields[name].trim()]])),
  )

/** The change that a form asks for. A field that the form does not have stays as it is. */
function changeOf(upload: Upload): Parameters<typeof changeMerchant>[2] {
  const entered = enteredIn(upload)
  const { searchable, receipts, paymentMails, late, tolerance, secondFactor, staffPrices, ...texts } = entered
  const isRemoved = upload.fields.removeLogo === 'yes'
  return {
    ...texts,
    ...(tolerance !== undefined && { tolerance: tolerance.replace(',', '.') }),
    late: latePolicies.find(one => one === late),
    secondFactor: secondFactorPolicies.find(one => one === secondFactor),
    ...(searchable !== undefined && { searchable: searchable === 'yes' }),
    ...(receipts !== undefined && { receipts: receipts === 'yes' }),
    ...(staffPrices !== undefined && { staffPrices: staffPrices === 'yes' }),
    ...(paymentMails !== undefined && {
      paymentMails: paymentMails === 'same' ? null : paymentMails === 'yes',
    }),
    logo: upload.file ?? (isRemoved ? new Uint8Array() : undefined),
  }
}

/** Fields by the options of the command line, which the operation names in a refusal. */
const fieldNames: Record<string, SettingsField> = {
  'return-url': 'returnUrl',
  'support-email': 'supportEmail',
  'support-url': 'supportUrl',
  'terms-url': 'termsUrl',
  'privacy-url': 'privacyUrl',
  'time-zone': 'timeZone',
  'embed-origins': 'embedOrigins',
}

const urls = ['supportUrl', 'returnUrl', 'termsUrl', 'privacyUrl'] as const

/**
 * The names of the wrong fields. A refused destination does not say where it was entered, but it must be in a
 * field that changed.
 */
function wrongIn(refusal: Refusal, merchant: Merchant, values: Values): string[] {
  if (refusal.code !== 'destination_not_allowed') {
    return refusedFields(refusal).map(name => fieldNames[name] ?? name)
  }
  return urls.filter(name => values[name] !== '' && values[name] !== merchant[name])
}

/** The methods that buyers can pay with. While a provider does not answer, its methods are not known. */
async function methodsOf(
  { context, merchant }: ShopVisit,
  isLast: boolean,
): Promise<SettingsModel['methods']> {
  const { includeCrypto } = await getWallet(context, merchant.id)
  const states = await readPayouts(context, merchant)
  const coins = states.flatMap(({ coins }) => coins.filter(({ lacks }) => lacks.length === 0))
  const usable = await listUsableMethods(context, merchant.id).catch(error => {
    context.log.warn({ merchantId: merchant.id, reason: String(error) }, 'dashboard.methods.unavailable')
    return { names: [], needWallet: [] }
  })
  return { ...usable, isCryptoOn: includeCrypto, coins: coins.map(({ asset }) => asset.name), isLast }
}

interface SettingsState {
  isSaved?: boolean
  /** true if coins cannot be switched off, because no other method is left */
  isLast?: boolean
  refusal?: Refusal | null
  /** values that were entered in the form that was refused */
  entered?: Partial<Values>
}

async function showSettings(visit: ShopVisit, state: SettingsState): Promise<View> {
  const { context, merchant } = visit
  const { isSaved = false, isLast = false, refusal = null, entered } = state
  const values = { ...valuesOf(merchant), ...entered }
  const wrong = refusal ? wrongIn(refusal, merchant, values) : []
  const products = await listProducts(context, merchant.id, 1, null)
  const example = products.items.find(({ product }) => product.active)?.product
  const stale = await staleText(visit, 'merchant', refusal)
  const methods = await methodsOf(visit, isLast)
  return locale => ({
    title: locale.texts.settings.title,
    body: settingsBody(locale, {
      values,
      wrong,
      problem: refusal && !stale && wrong.length === 0 ? problemText(locale, refusal) : null,
      stale: stale?.(locale) ?? null,
      methods,
      currencies: currencyChoices(locale),
      timeZones: timeZoneChoices(),
      version: String(merchant.updatedAt),
      isSaved,
      look: lookOf(merchant),
      exampleUrl: example ? productCheckoutUrl(example.id, context.policy.checkoutUrl) : null,
      hasMail: context.channels.mail !== null,
    }),
  })
}

/** The page of settings: how buyers see a shop, and what happens to their payments. */
export const settingsRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { saved: optional() },
    show: visit => showSettings(visit, { isSaved: visit.query.saved !== undefined }),
  }),
  form({
    path: PATH,
    proof: 'owner',
    read: readUpload,
    fields: UploadForm,
    run: ({ context, merchant, body }) =>
      changeMerchant(context, merchant.id, changeOf(body), { updatedAt: versionIn(body.fields) }),
    done: `${PATH}?saved`,
    refused: (refusal, visit) => showSettings(visit, { refusal, entered: enteredIn(visit.body) }),
  }),
  form({
    path: `${PATH}/crypto`,
    proof: 'owner',
    fields: { offered: oneOf(['yes', 'no']) },
    run: ({ context, merchant, body }) => acceptCoins(context, merchant.id, body.offered === 'yes'),
    done: `${PATH}?saved#methods`,
    refused: (_, visit) => showSettings(visit, { isLast: true }),
  }),
]

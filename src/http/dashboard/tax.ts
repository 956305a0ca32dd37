import { Type } from '@sinclair/typebox'
import { type TaxField, type TaxModel, taxBody } from '../../../views/dashboard/tax.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { VAT_RATES_DATE, vatRates } from '../../domain/vat-rates.ts'
import { changeMerchant } from '../../operations/merchants/change.ts'
import { countryChoices } from './choices.ts'
import { oneOf, optional } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import { staleText } from './stale.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/settings/tax'

type Values = TaxModel['values']

const percent = (rate: number): string => String(rate / 100)

/** The text of a shop's rates, with one country on each line. */
const ratesText = (rates: NonNullable<Merchant['tax']>['rates']): string =>
  rates
    .map(({ country, standard, reduced }) =>
      [country, percent(standard), ...(reduced === null ? [] : [percent(reduced)])].join(' '),
    )
    .join('\n')

const yesOrNo = (is: boolean): 'yes' | 'no' => (is ? 'yes' : 'no')

function valuesOf({ tax }: Merchant): Values {
  return {
    charged: yesOrNo(tax !== null),
    country: tax?.country ?? '',
    vatId: tax?.vatId ?? '',
    prices: tax?.prices ?? 'included',
    exemption: tax?.exemption ?? '',
    sells: tax?.sells ?? 'goods',
    reverseCharge: yesOrNo(tax?.reverseCharge ?? false),
    rates: tax ? ratesText(tax.rates) : '',
  }
}

interface TaxState {
  isSaved?: boolean
  refusal?: Refusal
  entered?: Values
}

async function showTax(visit: ShopVisit, { isSaved = false, refusal, entered }: TaxState): Promise<View> {
  const { merchant } = visit
  const stale = await staleText(visit, 'merchant', refusal ?? null)
  const wrong = refusal ? refusedFields(refusal) : []
  return locale => ({
    title: locale.texts.tax.title,
    body: taxBody(locale, {
      values: entered ?? valuesOf(merchant),
      wrong,
      problem: refusal && !stale && wrong.length === 0 ? problemText(locale, refusal) : null,
      stale: stale?.(locale) ?? null,
      isSaved,
      version: String(merchant.updatedAt),
      countries: countryChoices(locale),
      suggestions: vatRates.split('|'),
      suggestedOn: Date.parse(VAT_RATES_DATE),
    }),
  })
}

/** Max characters of a field. The limit is high, because the operation says which value is too long. */
const FIELD_MAX = 8000

const words = optional(FIELD_MAX)

const fields = {
  charged: Type.Optional(oneOf(['yes', 'no'])),
  country: words,
  vatId: words,
  prices: Type.Optional(oneOf(['included', 'added'])),
  exemption: words,
  sells: Type.Optional(oneOf(['goods', 'services'])),
  reverseCharge: Type.Optional(oneOf(['yes', 'no'])),
  rates: words,
  version: optional(20),
} satisfies Record<TaxField | 'version', unknown>

/** The entered values. A field that the form does not have stays as it is. */
const enteredIn = (
  merchant: Merchant,
  { version: _, ...body }: Partial<Values> & { version?: string },
): Values => ({
  ...valuesOf(merchant),
  ...body,
})

function inputOf({ charged, reverseCharge, ...input }: Values) {
  return charged === 'yes' ? { ...input, reverseCharge: reverseCharge === 'yes' } : null
}

/** The page of the tax that a shop charges. */
export const taxRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { saved: optional() },
    show: visit => showTax(visit, { isSaved: visit.query.saved !== undefined }),
  }),
  form({
    path: PATH,
    proof: 'owner',
    fields,
    run: ({ context, merchant, body }) =>
      changeMerchant(
        context,
        merchant.id,
        { tax: inputOf(enteredIn(merchant, body)) },
        { updatedAt: body.version === undefined ? undefined : Number(body.version) },
      ),
    done: `${PATH}?saved`,
    refused: (refusal, visit) => showTax(visit, { refusal, entered: enteredIn(visit.merchant, visit.body) }),
  }),
]

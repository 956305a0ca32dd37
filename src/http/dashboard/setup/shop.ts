import type { Guide } from '../../../../views/dashboard/guide.ts'
import { guideShopBody } from '../../../../views/dashboard/guide-shop.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { DEFAULT_COLOR } from '../../../domain/brand.ts'
import type { Refusal } from '../../../domain/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { changeMerchant } from '../../../operations/merchants/change.ts'
import { openShop } from '../../../operations/merchants/open-shop.ts'
import { readSetupSteps } from '../../../operations/overview/setup.ts'
import { chooseShop } from '../../../operations/people/visit.ts'
import { currencyChoices } from '../choices.ts'
import { form, page, type Route } from '../kit.ts'
import { lookOf } from '../look.ts'
import { readUpload, UploadForm } from '../multipart.ts'
import type { View } from '../page.ts'
import { problemText, refusedFields } from '../problem.ts'
import { staleText, versionIn } from '../stale.ts'
import type { PersonVisit, ShopVisit } from '../visit.ts'
import { firstGuide, guideOf, nextUrl, OVERVIEW, stepUrl } from './guide.ts'

const NEW = '/dashboard/setup'
const PATH = stepUrl('shop')

const names = ['name', 'email', 'color', 'currency'] as const
type ShopForm = Record<(typeof names)[number], string>

const enteredIn = ({ fields }: typeof UploadForm.static): ShopForm =>
  Object.fromEntries(names.map(name => [name, (fields[name] ?? '').trim()])) as ShopForm

/** The color of Florin is what a shop has without one of its own. */
const colorOf = ({ color }: ShopForm): string => (color.toLowerCase() === DEFAULT_COLOR ? '' : color)

/** Most people who read German sell in euros. */
const guessedCurrency = ({ tag }: DashboardLocale): string => (tag === 'de' ? 'EUR' : 'USD')

interface ShopStep {
  guide: Guide
  values: ShopForm
  /** the shop that is changed; null to create one */
  merchant: Merchant | null
  refusal: Refusal | null
  stale?: Awaited<ReturnType<typeof staleText>>
}

const stepView =
  ({ guide, values, merchant, refusal, stale }: ShopStep): View =>
  locale => {
    const { setup } = locale.texts
    const wrong = refusal ? refusedFields(refusal) : []
    const color = values.color || DEFAULT_COLOR
    return {
      title: setup.shop.title,
      body: guideShopBody(locale, guide, {
        isNew: merchant === null,
        values: { ...values, color, currency: values.currency || guessedCurrency(locale) },
        currencies: currencyChoices(locale),
        look: lookOf({ name: values.name || setup.shop.title, color, logo: merchant?.logo ?? null }),
        wrong,
        problem: refusal && wrong.length === 0 && !stale ? problemText(locale, refusal) : null,
        stale: stale?.(locale) ?? null,
        version: merchant && String(merchant.updatedAt),
      }),
    }
  }

/** The form of a shop that is to be created. */
const newShopView = ({ merchant }: PersonVisit, values: ShopForm, refusal: Refusal | null = null): View =>
  stepView({ guide: firstGuide('shop', merchant && OVERVIEW), values, merchant: null, refusal })

async function showStep(visit: ShopVisit, values: ShopForm, refusal: Refusal | null = null): Promise<View> {
  const guide = await guideOf(visit, 'shop')
  const stale = await staleText(visit, 'merchant', refusal)
  return stepView({ guide, values, merchant: visit.merchant, refusal, stale })
}

/** Creates a shop, and gives it its looks and its currency. */
export const shopRoutes: readonly Route[] = [
  page({
    path: NEW,
    access: 'operator',
    show: visit => newShopView(visit, { name: '', email: visit.user.email, color: '', currency: '' }),
  }),
  form({
    path: NEW,
    access: 'operator',
    read: readUpload,
    fields: UploadForm,
    run({ context, body }) {
      const values = enteredIn(body)
      return openShop(context, { ...values, color: colorOf(values), logo: body.file ?? undefined })
    },
    async done({ id }, visit) {
      await chooseShop(visit.context, visit, id)
      return stepUrl('payouts')
    },
    refused: (refusal, visit) => newShopView(visit, enteredIn(visit.body), refusal),
  }),
  page({
    path: PATH,
    access: 'owner',
    show(visit) {
      const { name, email, color, currency } = visit.merchant
      return showStep(visit, { name, email, color: color ?? '', currency: currency ?? '' })
    },
  }),
  form({
    path: PATH,
    access: 'owner',
    read: readUpload,
    fields: UploadForm,
    run({ context, merchant, body }) {
      const values = enteredIn(body)
      const { name, currency } = values
      const change = { name, currency, color: colorOf(values), logo: body.file ?? undefined }
      return changeMerchant(context, merchant.id, change, { updatedAt: versionIn(body.fields) })
    },
    done: async (_, { context, merchant }) => nextUrl(await readSetupSteps(context, merchant.id), 'shop'),
    refused: (refusal, visit) => showStep(visit, enteredIn(visit.body), refusal),
  }),
]

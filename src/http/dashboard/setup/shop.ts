import type { Guide } from '../../../../views/dashboard/guide.ts'
import { guideShopBody } from '../../../../views/dashboard/guide-shop.ts'
import { DEFAULT_COLOR } from '../../../domain/brand.ts'
import type { Refusal } from '../../../domain/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { usualIn } from '../../../domain/region.ts'
import { changeMerchant } from '../../../operations/merchants/change.ts'
import { openShop } from '../../../operations/merchants/open-shop.ts'
import { readSetupSteps } from '../../../operations/overview/setup.ts'
import { chooseShop } from '../../../operations/people/visit.ts'
import { localeOf } from '../../pages/language.ts'
import { currencyChoices, timeZoneChoices } from '../choices.ts'
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

const names = ['name', 'email', 'color', 'currency', 'timeZone', 'language'] as const
type ShopForm = Record<(typeof names)[number], string>

const enteredIn = ({ fields }: typeof UploadForm.static): ShopForm =>
  Object.fromEntries(names.map(name => [name, (fields[name] ?? '').trim()])) as ShopForm

/** The entered color; empty for the color of Florin, which a shop without its own color has. */
const colorOf = ({ color }: ShopForm): string => (color.toLowerCase() === DEFAULT_COLOR ? '' : color)

/** The values that are usual where the person's browser comes from, unless others are chosen already. */
function guessed({ request }: PersonVisit, merchant: Merchant | null) {
  const usual = usualIn(localeOf(request).formats)
  const isChosen = merchant !== null && merchant.currency !== null
  // A shop that was created by the command line is in UTC until a person chooses.
  const hasZone = merchant !== null && (isChosen || merchant.timeZone !== 'UTC')
  return {
    currency: merchant?.currency ?? usual.currency,
    timeZone: hasZone ? merchant.timeZone : usual.timeZone,
    language: isChosen ? merchant.language : '',
    isZoneGuessed: !hasZone,
  }
}

interface ShopStep {
  guide: Guide
  values: ShopForm
  /** true if the browser may know the time zone better */
  isZoneGuessed?: boolean
  /** the shop that is changed; null to create one */
  merchant: Merchant | null
  refusal: Refusal | null
  stale?: Awaited<ReturnType<typeof staleText>>
}

const stepView =
  ({ guide, values, isZoneGuessed = false, merchant, refusal, stale }: ShopStep): View =>
  locale => {
    const { setup } = locale.texts
    const wrong = refusal ? refusedFields(refusal) : []
    const color = values.color || DEFAULT_COLOR
    return {
      title: setup.shop.title,
      body: guideShopBody(locale, guide, {
        isNew: merchant === null,
        values: { ...values, color, language: values.language || locale.tag },
        isZoneGuessed,
        currencies: currencyChoices(locale),
        timeZones: timeZoneChoices(),
        look: lookOf({ name: values.name || setup.shop.title, color, logo: merchant?.logo ?? null }),
        wrong,
        problem: refusal && wrong.length === 0 && !stale ? problemText(locale, refusal) : null,
        stale: stale?.(locale) ?? null,
        version: merchant && String(merchant.updatedAt),
      }),
    }
  }

/** The page with the form that creates a shop. */
const newShopView = (
  { merchant }: PersonVisit,
  values: ShopForm,
  state: Pick<ShopStep, 'refusal' | 'isZoneGuessed'>,
): View => stepView({ guide: firstGuide('shop', merchant && OVERVIEW), values, merchant: null, ...state })

async function showStep(
  visit: ShopVisit,
  values: ShopForm,
  state: Pick<ShopStep, 'refusal' | 'isZoneGuessed'>,
): Promise<View> {
  const guide = await guideOf(visit, 'shop')
  const stale = await staleText(visit, 'merchant', state.refusal)
  return stepView({ guide, values, merchant: visit.merchant, stale, ...state })
}

/** The step that creates a shop, or sets its looks and its currency. */
export const shopRoutes: readonly Route[] = [
  page({
    path: NEW,
    access: 'operator',
    show(visit) {
      const { isZoneGuessed, ...usual } = guessed(visit, null)
      const values = { name: '', email: visit.user.email, color: '', ...usual }
      return newShopView(visit, values, { refusal: null, isZoneGuessed })
    },
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
    refused: (refusal, visit) => newShopView(visit, enteredIn(visit.body), { refusal }),
  }),
  page({
    path: PATH,
    access: 'owner',
    show(visit) {
      const { name, email, color } = visit.merchant
      const { isZoneGuessed, ...usual } = guessed(visit, visit.merchant)
      return showStep(visit, { name, email, color: color ?? '', ...usual }, { refusal: null, isZoneGuessed })
    },
  }),
  form({
    path: PATH,
    access: 'owner',
    read: readUpload,
    fields: UploadForm,
    run({ context, merchant, body }) {
      const values = enteredIn(body)
      const { name, currency, timeZone, language } = values
      const change = {
        name,
        currency,
        timeZone,
        language,
        color: colorOf(values),
        logo: body.file ?? undefined,
      }
      return changeMerchant(context, merchant.id, change, { updatedAt: versionIn(body.fields) })
    },
    done: async (_, { context, merchant }) => nextUrl(await readSetupSteps(context, merchant.id), 'shop'),
    refused: (refusal, visit) => showStep(visit, enteredIn(visit.body), { refusal }),
  }),
]

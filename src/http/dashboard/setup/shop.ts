import { Elysia } from 'elysia'
import { guideShopBody } from '../../../../views/dashboard/guide-shop.ts'
import type { DashboardLocale } from '../../../../views/dashboard/locale.ts'
import { DEFAULT_COLOR } from '../../../domain/brand.ts'
import type { Refusal } from '../../../domain/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { changeMerchant } from '../../../operations/merchants/change.ts'
import { openShop } from '../../../operations/merchants/open-shop.ts'
import { readSetupSteps } from '../../../operations/overview/setup.ts'
import { chooseShop } from '../../../operations/people/visit.ts'
import { requestId } from '../../request-state.ts'
import { personOf, requirePerson, shopOf } from '../access.ts'
import { currencyChoices } from '../choices.ts'
import type { DashboardDeps } from '../deps.ts'
import { lookOf } from '../look.ts'
import { readUpload, UploadForm } from '../multipart.ts'
import { renderPage, type Settable } from '../page.ts'
import { problemText, refusalOf, refusedFields } from '../problem.ts'
import { staleText, versionIn } from '../stale.ts'
import { firstGuide, guideOf, nextUrl, OVERVIEW, stepUrl } from './guide.ts'

const names = ['name', 'email', 'color', 'currency'] as const
type Values = Record<(typeof names)[number], string>

const enteredIn = ({ fields }: typeof UploadForm.static): Values =>
  Object.fromEntries(names.map(name => [name, (fields[name] ?? '').trim()])) as Values

/** The color of Florin is what a shop has without one of its own. */
const colorOf = ({ color }: Values): string => (color.toLowerCase() === DEFAULT_COLOR ? '' : color)

/** Most people who read German sell in euros. */
const guessedCurrency = ({ tag }: DashboardLocale): string => (tag === 'de' ? 'EUR' : 'USD')

interface Shown {
  guide: Parameters<typeof guideShopBody>[1]
  values: Values
  /** the shop that is changed; null to create one */
  merchant: Merchant | null
  refusal: Refusal | null
  stale?: Awaited<ReturnType<typeof staleText>>
}

/** What the form of a shop that exists says about changes of others. */
const formOf = (locale: DashboardLocale, merchant: Merchant | null, stale: Shown['stale']) => ({
  stale: stale?.(locale) ?? null,
  version: merchant && String(merchant.updatedAt),
})

function show(deps: DashboardDeps, request: Request, set: Settable, shown: Shown): Promise<string> {
  if (shown.refusal) set.status = shown.refusal.status
  return renderPage(deps, request, set, locale => {
    const { guide, values, merchant, refusal, stale } = shown
    const wrong = refusal ? refusedFields(refusal) : []
    const { setup } = locale.texts
    const other = refusal && problemText(locale, refusal)
    const color = values.color || DEFAULT_COLOR
    return {
      title: setup.shop.title,
      body: guideShopBody(locale, guide, {
        isNew: merchant === null,
        values: { ...values, color, currency: values.currency || guessedCurrency(locale) },
        currencies: currencyChoices(locale),
        look: lookOf({ name: values.name || setup.shop.title, color, logo: merchant?.logo ?? null }),
        wrong,
        problem: wrong.length === 0 && !stale ? other : null,
        ...formOf(locale, merchant, stale),
      }),
    }
  })
}

/** Creates the first shop of a server, or a further one. */
const newShopPages = (deps: DashboardDeps) => {
  const { context } = deps
  return new Elysia()
    .get(
      '/dashboard/setup',
      async ({ request, set }) => {
        const { merchant, user } = await personOf(context, request)
        const values = { name: '', email: user.email, color: '', currency: '' }
        const guide = firstGuide('shop', merchant && OVERVIEW)
        return show(deps, request, set, { guide, values, merchant: null, refusal: null })
      },
      requirePerson(context, 'operator'),
    )
    .post(
      '/dashboard/setup',
      async ({ body, redirect, request, set }) => {
        const visit = await personOf(context, request)
        const origin = { actor: `user:${visit.user.id}`, requestId: requestId(request) } as const
        const values = enteredIn(body)
        let created = ''
        const refusal = await refusalOf(async () => {
          const input = { ...values, color: colorOf(values), logo: body.file ?? undefined }
          created = (await openShop({ ...context, origin }, input)).id
        })
        const guide = firstGuide('shop', visit.merchant && OVERVIEW)
        if (refusal) return show(deps, request, set, { guide, values, merchant: null, refusal })
        await chooseShop(context, visit, created)
        return redirect(stepUrl('payouts'), 303)
      },
      { ...requirePerson(context, 'operator', readUpload), body: UploadForm },
    )
}

/** The step in which a shop gets its looks and its currency. */
export const shopStep = (deps: DashboardDeps) => {
  const { context } = deps
  const PATH = stepUrl('shop')
  return new Elysia()
    .use(newShopPages(deps))
    .get(
      PATH,
      async ({ request, set }) => {
        const shop = await shopOf(context, request)
        const { name, email, color, currency } = shop.merchant
        const values = { name, email, color: color ?? '', currency: currency ?? '' }
        const guide = await guideOf(shop, 'shop')
        return show(deps, request, set, { guide, values, merchant: shop.merchant, refusal: null })
      },
      requirePerson(context, 'owner'),
    )
    .post(
      PATH,
      async ({ body, redirect, request, set }) => {
        const shop = await shopOf(context, request)
        const values = enteredIn(body)
        const { name, currency } = values
        const change = { name, currency, color: colorOf(values), logo: body.file ?? undefined }
        const seen = { updatedAt: versionIn(body.fields) }
        const refusal = await refusalOf(() => changeMerchant(shop.context, shop.merchant.id, change, seen))
        if (!refusal) return redirect(nextUrl(await readSetupSteps(context, shop.merchant.id), 'shop'), 303)
        const guide = await guideOf(shop, 'shop')
        const stale = await staleText(shop, 'merchant', refusal)
        return show(deps, request, set, { guide, values, merchant: shop.merchant, refusal, stale })
      },
      { ...requirePerson(context, 'owner', readUpload), body: UploadForm },
    )
}

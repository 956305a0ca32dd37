import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, time } from './parts.ts'

interface OverviewModel {
  /** null for a person without a shop */
  shop: { id: string; createdAt: number } | null
}

const facts = (locale: DashboardLocale, { id, createdAt }: NonNullable<OverviewModel['shop']>): Html => {
  const { overview } = locale.texts
  return html`<dl class="facts">
<dt>${overview.shopId}</dt><dd>${copyable(locale, id)}</dd>
<dt>${overview.since}</dt><dd>${time(locale, createdAt)}</dd>
</dl>`
}

export const overviewBody = (locale: DashboardLocale, { shop }: OverviewModel): Html => {
  const { overview } = locale.texts
  return html`<h1>${overview.title}</h1>
${shop ? facts(locale, shop) : html`<p>${overview.noShop}</p>`}`
}

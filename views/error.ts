import { html } from './html.ts'
import { type Frame, layout } from './layout.ts'
import type { Locale } from './locale.ts'
import { buttonLink, ending } from './parts.ts'
import { type ShopModel, shopLine } from './shop.ts'

interface ErrorModel {
  status: number
  message: string
  requestId: string
  /** page to return to; null if there is none */
  backUrl: string | null
  /** URL of the page; null for a form that cannot be sent again */
  url: string | null
  /** true if the link is valid, but nothing can be bought there any more */
  isOver: boolean
  /** null if unknown */
  shop: ShopModel | null
}

const titles: Record<number, keyof Locale['texts']['errors']['titles']> = {
  404: 'notFound',
  409: 'notPossible',
  422: 'notAvailable',
  429: 'tooMany',
  502: 'providerAway',
}

export function errorPage(locale: Locale, model: ErrorModel, { assets, isSandbox }: Frame): string {
  const { errors } = locale.texts
  const { shop, isOver, status } = model
  const title = errors.titles[isOver ? 'notAvailable' : (titles[status] ?? 'other')]
  const body = html`<p>${model.message}</p>
${status === 404 && !isOver && html`<p>${errors.checkLink}</p>`}
${model.backUrl && buttonLink(model.backUrl, errors.backToPayment)}
<p class="reference">${errors.requestId} <span class="code">${model.requestId}</span></p>`
  return layout({
    locale,
    url: model.url,
    title,
    assets,
    isSandbox,
    shop,
    body: html`${shop && shopLine(shop)}
<div class="card">${ending('warn', title, body, 'h1')}</div>`,
  })
}

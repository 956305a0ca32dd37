import { html } from './html.ts'
import { type Assets, layout } from './layout.ts'
import { buttonLink, ending } from './parts.ts'

interface ErrorModel {
  status: number
  message: string
  requestId: string
  /** where the buyer can go on; null where there is nothing */
  backUrl: string | null
}

const titles: Record<number, string> = {
  404: 'Nothing here',
  409: 'That is not possible any more',
  422: 'That is not offered',
  429: 'One moment, please',
  502: 'The provider does not answer',
}

const titleOf = (status: number): string =>
  titles[status] ?? (status >= 500 ? 'Something went wrong' : 'That did not work')

export function errorPage(model: ErrorModel, assets: Assets, notice: string | null): string {
  const title = titleOf(model.status)
  const body = html`<p>${model.message}</p>
${model.status === 404 && html`<p>Check the link that you were given, or ask the shop for a new one.</p>`}
${model.backUrl && buttonLink(model.backUrl, 'Back to the payment')}
<p class="reference">Reference <span class="code">${model.requestId}</span></p>`
  return layout({
    title,
    assets,
    notice,
    body: html`<div class="card">${ending('warn', title, body, 'h1')}</div>`,
  })
}

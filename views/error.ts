import { html } from './html.ts'
import { type Assets, layout } from './layout.ts'
import { buttonLink, ending } from './parts.ts'

interface ErrorModel {
  status: number
  message: string
  requestId: string
  /** the page to go back to; null when there is none */
  backUrl: string | null
}

const titles: Record<number, string> = {
  404: 'Page not found',
  409: 'This isn’t possible',
  422: 'Not available',
  429: 'Too many requests',
  502: 'Payment provider not responding',
}

const titleOf = (status: number): string => titles[status] ?? 'Something went wrong'

export function errorPage(model: ErrorModel, assets: Assets, notice: string | null): string {
  const title = titleOf(model.status)
  const body = html`<p>${model.message}</p>
${model.status === 404 && html`<p>Check the link, or ask the shop for a new one.</p>`}
${model.backUrl && buttonLink(model.backUrl, 'Back to the payment')}
<p class="reference">Request ID <span class="code">${model.requestId}</span></p>`
  return layout({
    title,
    assets,
    notice,
    body: html`<div class="card">${ending('warn', title, body, 'h1')}</div>`,
  })
}

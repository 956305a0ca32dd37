import { html } from './html.ts'
import { type Assets, layout } from './layout.ts'

export interface ErrorModel {
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

export const errorPage = (model: ErrorModel, assets: Assets, notice: string | null): string => {
  const title = titles[model.status] ?? (model.status >= 500 ? 'Something went wrong' : 'That did not work')
  return layout({
    title,
    assets,
    notice,
    body: html`<div class="card"><div class="state end warn">
<div class="sign" aria-hidden="true"></div>
<h1>${title}</h1>
<p>${model.message}</p>
${model.status === 404 && html`<p>Check the link that you were given, or ask the shop for a new one.</p>`}
${model.backUrl && html`<p class="open"><a class="button" href="${model.backUrl}">Back to the payment</a></p>`}
<p class="reference">Reference <span class="code">${model.requestId}</span></p>
</div></div>`,
  })
}

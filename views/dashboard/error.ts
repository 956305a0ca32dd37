import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

interface ErrorModel {
  title: string
  message: string
  /** ID that finds the request in the operator's log; null if the log does not help */
  requestId: string | null
}

export const errorBody = ({ texts: { errors } }: DashboardLocale, model: ErrorModel): Html =>
  html`<div class="card">
<h1>${model.title}</h1>
<p>${model.message}</p>
${model.requestId && html`<p class="code">${errors.number({ id: model.requestId })}</p>`}
<p><a class="button quiet" href="/dashboard">${errors.home}</a></p>
</div>`

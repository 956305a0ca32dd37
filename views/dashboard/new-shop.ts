import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, message } from './parts.ts'

interface NewShopModel {
  values: { name: string; email: string }
  /** the fields to correct */
  wrong: readonly string[]
  problem: string | null
}

/** Creates the first shop of a server, or a further one. */
export function newShopBody(locale: DashboardLocale, { values, wrong, problem }: NewShopModel): Html {
  const { newShop, signIn, settings, frame } = locale.texts
  return html`<h1>${newShop.title}</h1>
<p>${newShop.intro}</p>
${problem && message('warn', problem)}
<form method="post" action="/dashboard/setup" class="card">
${field({
  name: 'name',
  label: settings.labels.name,
  hint: settings.hints.name,
  value: values.name,
  problem: wrong.includes('name') ? settings.wrong.name : undefined,
  isRequired: true,
})}
${field({
  name: 'email',
  label: newShop.email,
  hint: newShop.emailHint,
  value: values.email,
  type: 'email',
  problem: wrong.includes('email') ? signIn.wrongEmail : undefined,
  isRequired: true,
})}
<div class="row"><button>${newShop.submit}</button>
<a class="button quiet" href="/dashboard">${frame.cancel}</a></div>
</form>`
}

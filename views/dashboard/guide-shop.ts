import { type Html, html } from '../html.ts'
import { type Guide, guideHead, guidePage } from './guide.ts'
import { type DashboardLocale, languageOptions } from './locale.ts'
import { type Look, lookPreview } from './look.ts'
import { field, hidden, message, type Options, select, staleMessage } from './parts.ts'

interface GuideShopModel {
  /** true if the form creates the shop */
  isNew: boolean
  values: { name: string; email: string; color: string; currency: string; timeZone: string; language: string }
  currencies: Options
  timeZones: Options
  /** true if the script replaces the time zone with that of the browser */
  isZoneGuessed: boolean
  look: Look
  /** names of the invalid fields */
  wrong: readonly string[]
  problem: string | null
  /** message that the shop was changed since the form was opened; null if it was not */
  stale: string | null
  /** version of the shop that the form shows; null to create a shop */
  version: string | null
}

function logoField({ texts: { settings } }: DashboardLocale, isWrong: boolean): Html {
  return html`<div class="field"><label for="file">${settings.logo}</label>
<p class="hint" id="file-hint">${settings.logoHint}</p>
<input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp,image/svg+xml"
data-fit="1024"
aria-describedby="file-hint${isWrong && ' file-problem'}"${isWrong && html` aria-invalid="true" autofocus`}>
${isWrong && html`<p class="problem" id="file-problem">${settings.wrongLogo}</p>`}</div>`
}

const colorField = ({ texts: { setup } }: DashboardLocale, color: string): Html =>
  html`<div class="field"><label for="color">${setup.shop.color}</label>
<p class="hint" id="color-hint">${setup.shop.colorHint}</p>
<input id="color" name="color" type="color" value="${color}" aria-describedby="color-hint"></div>`

function shopForm(locale: DashboardLocale, model: GuideShopModel): Html {
  const { setup, settings, signIn } = locale.texts
  const { isNew, values, wrong } = model
  return html`<form method="post" action="/dashboard/setup${!isNew && '/shop'}" enctype="multipart/form-data"
class="card" data-look-form>
${hidden(locale, { version: model.version })}
<div class="columns"><div>
${field({
  name: 'name',
  label: setup.shop.name,
  value: values.name,
  problem: wrong.includes('name') ? settings.wrong.name : undefined,
  isRequired: true,
})}
${
  isNew &&
  field({
    name: 'email',
    label: setup.shop.email,
    hint: setup.shop.emailHint,
    value: values.email,
    type: 'email',
    problem: wrong.includes('email') ? signIn.wrongEmail : undefined,
    isRequired: true,
  })
}
${select({
  name: 'currency',
  label: setup.shop.currency,
  hint: setup.shop.currencyHint,
  value: values.currency,
  options: model.currencies,
})}
${select({
  name: 'timeZone',
  label: settings.labels.timeZone,
  hint: settings.hints.timeZone,
  value: values.timeZone,
  options: model.timeZones,
  isGuess: model.isZoneGuessed,
  problem: wrong.includes('time-zone') ? settings.wrong.timeZone : undefined,
})}
${select({
  name: 'language',
  label: settings.labels.language,
  hint: settings.hints.language,
  value: values.language,
  options: languageOptions(),
})}
${logoField(locale, wrong.includes('logo'))}
${colorField(locale, values.color)}
</div><section aria-labelledby="preview"><h2 id="preview">${settings.preview}</h2>
${lookPreview(locale, model.look)}</section></div>
<p><button>${isNew ? setup.shop.create : setup.shop.save}</button></p>
</form>`
}

/** The step of the setup that creates a shop, or changes how buyers see it. */
export function guideShopBody(locale: DashboardLocale, guide: Guide, model: GuideShopModel): Html {
  const { setup } = locale.texts
  const body = html`<p>${setup.shop.intro}</p>
${model.problem && message('warn', model.problem)}
${model.stale !== null && staleMessage(locale, model.stale, '/dashboard/setup/shop')}
${shopForm(locale, model)}`
  // Without a shop there is nothing to set up, so this step cannot be skipped.
  if (!model.isNew) return guidePage(locale, guide, setup.shop.title, body)
  return html`${guideHead(locale, guide, setup.shop.title)}
${body}
${guide.backUrl && html`<p><a class="button quiet" href="${guide.backUrl}">${setup.back}</a></p>`}
<p class="hint">${setup.later}</p>`
}

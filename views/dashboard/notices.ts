import { dateTimeFormat } from '../formats.ts'
import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, message } from './parts.ts'

type ChannelName = keyof DashboardLocale['texts']['notices']['names']
type NoticeKind = keyof DashboardLocale['texts']['notices']['kindNames']
type Service = keyof DashboardLocale['texts']['notices']['address']

export interface ChannelModel {
  id: string
  name: ChannelName
  /** address of the channel, without its secret parts */
  target: string
  isVerified: boolean
  /** kinds that are switched off */
  muted: readonly NoticeKind[]
  digestHour: number | null
  lastSentAt: number | null
  failing: { since: number; reason: string } | null
}

interface NoticesModel {
  channels: readonly ChannelModel[]
  email: string
  sendsMail: boolean
  isRemoved: boolean
  /** values of the form that was refused */
  refused: { name: string; address: string; wrong: readonly string[]; problem: string | null } | null
}

const groups = {
  payments: [
    'order_paid',
    'unmatched_payment',
    'skipped_payment',
    'payment_late',
    'payment_short',
    'payment_over',
    'payment_reorganised',
    'payment_vanished',
    'chain_blind',
    'unpayable',
    'refund_recorded',
    'refund_failed',
    'payment_reversed',
  ],
  webhook: ['webhook_failing', 'webhook_disabled', 'event_given_up'],
  changes: [
    'payout_changed',
    'webhook_changed',
    'key_created',
    'people_changed',
    'price_changed',
    'invoice_changed',
    'shop_changed',
    'new_login',
    'login_attacked',
  ],
  server: [
    'pool_low',
    'gap_limit_low',
    'payout_unusable',
    'funds_waiting',
    'endpoint_down',
    'disk_low',
    'files_low',
    'certificate_expiring',
    'security_release',
    'backup_old',
    'backup_unusable',
    'replica_behind',
    'log_lost',
  ],
} as const satisfies Record<string, readonly NoticeKind[]>

/** All kinds, in the order of the page. */
const noticeKinds: readonly NoticeKind[] = Object.values(groups).flat()

const hourText = ({ formats }: DashboardLocale, hour: number): string =>
  dateTimeFormat(formats, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(hour * 3600_000)

function stateBadge({ texts: { notices } }: DashboardLocale, { isVerified, failing }: ChannelModel): Html {
  const state = isVerified ? (failing ? 'failing' : 'verified') : 'unverified'
  return html`<span class="badge ${state === 'verified' ? 'good' : 'warn'}">${notices.states[state]}</span>`
}

function summary(locale: DashboardLocale, { muted, digestHour, lastSentAt }: ChannelModel): string {
  const { notices } = locale.texts
  const all = noticeKinds.length
  const wanted =
    muted.length === 0 ? notices.everything : notices.some({ count: all - muted.length, of: all })
  const digest = digestHour === null ? null : notices.digestAt({ hour: hourText(locale, digestHour) })
  const last = lastSentAt === null ? notices.notSent : notices.lastSent({ time: locale.dateTime(lastSentAt) })
  return [wanted, digest, last].filter(part => part !== null).join(' · ')
}

const channelCard = (locale: DashboardLocale, channel: ChannelModel): Html =>
  html`<li class="card"><div class="between">
<h2><a href="/dashboard/notices/${channel.id}">${locale.texts.notices.names[channel.name]}</a></h2>
${stateBadge(locale, channel)}</div>
<p class="code" dir="ltr">${channel.target}</p>
<p class="soft">${summary(locale, channel)}</p>
</li>`

function addForm(locale: DashboardLocale, name: ChannelName, model: NoticesModel): Html {
  const { notices } = locale.texts
  const refused = model.refused?.name === name ? model.refused : null
  const service: Service | null = name === 'mail' ? null : name
  const token = name === 'ntfy' || name === 'telegram' ? name : null
  const problem = refused?.problem && message('warn', refused.problem)
  if (name === 'mail' && !model.sendsMail) {
    return html`<details class="card"${refused && html` open`}>
<summary><strong>${notices.names[name]}</strong></summary>
${problem}<p>${notices.mailNone}</p></details>`
  }
  return html`<details class="card"${refused && html` open`}>
<summary><strong>${notices.names[name]}</strong></summary>
<form method="post" action="/dashboard/notices">
${hidden(locale, { name })}
${problem}
${name === 'mail' && html`<p>${notices.mailAdd({ email: model.email })}</p>`}
${
  service &&
  field({
    name: `address-${service}`,
    label: notices.address[service],
    hint: notices.addressHint[service],
    value: refused?.address,
    problem: refused?.wrong.includes('address') ? notices.wrongAddress[service] : undefined,
    isRequired: true,
  })
}
${
  token &&
  field({
    name: `secret-${token}`,
    label: notices.secret[token],
    hint: notices.secretHint[token],
    type: 'password',
    autocomplete: 'off',
    problem: refused?.wrong.includes('secret') ? notices.wrongSecret : undefined,
    isRequired: token === 'telegram',
  })
}
<button>${notices.addSubmit}</button>
</form></details>`
}

/** The page of a person's channels. */
export function noticesBody(locale: DashboardLocale, model: NoticesModel): Html {
  const { notices } = locale.texts
  const { channels, isRemoved } = model
  return html`<h1>${notices.title}</h1>
<p>${notices.hint}</p>
${isRemoved && message('good', notices.removed)}
${
  channels.length === 0
    ? html`<p class="empty">${notices.none}</p>`
    : html`<ul class="plain">${channels.map(channel => channelCard(locale, channel))}</ul>`
}
<h2>${notices.add}</h2>
${(['mail', 'ntfy', 'telegram', 'https'] as const).map(name => addForm(locale, name, model))}`
}

interface ChannelPageModel {
  channel: ChannelModel
  /** the new secret that signs messages, which is shown only once */
  secret: string | null
  good: string | null
  /** true if the person has just confirmed the code */
  isNew: boolean
  problem: string | null
  codeProblem: string | null
}

function codeForm(locale: DashboardLocale, { channel, codeProblem }: ChannelPageModel): Html {
  const { notices } = locale.texts
  const path = `/dashboard/notices/${channel.id}`
  return html`<div class="card">
<form method="post" action="${path}/code">${hidden(locale)}
${field({
  name: 'code',
  label: notices.code,
  hint: notices.codeHint,
  problem: codeProblem ?? undefined,
  autocomplete: 'one-time-code',
  inputMode: 'numeric',
  isRequired: true,
})}
<button>${notices.codeSubmit}</button>
</form>
<form method="post" action="${path}/code/again">
${hidden(locale)}<button class="quiet">${notices.codeAgain}</button></form>
</div>
${consequence(locale, 'removeChannel')}`
}

function choicesForm(locale: DashboardLocale, { id, muted, digestHour }: ChannelModel): Html {
  const { notices, frame } = locale.texts
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  return html`<form method="post" action="/dashboard/notices/${id}" class="card">${hidden(locale)}
<h2>${notices.kinds}</h2>
<div class="columns">
${Object.entries(groups).map(
  ([group, kinds]) => html`<fieldset><legend>${notices.groups[group as keyof typeof groups]}</legend>
${kinds.map(
  kind => html`<label class="check"><input type="checkbox" name="kind.${kind}"
${!muted.includes(kind) && html` checked`}> <span>${notices.kindNames[kind]}</span></label>
`,
)}</fieldset>
`,
)}</div>
<div class="field"><label for="digest">${notices.digest}</label>
<p class="hint" id="digest-hint">${notices.digestHint}</p>
<select id="digest" name="digest" aria-describedby="digest-hint">
<option value="">${notices.digestNone}</option>
${hours.map(
  hour => html`<option value="${hour}"${hour === digestHour && html` selected`}>
${hourText(locale, hour)}</option>
`,
)}</select></div>
<button>${frame.save}</button>
</form>`
}

const testForm = (locale: DashboardLocale, { id }: ChannelModel): Html =>
  html`<form method="post" action="/dashboard/notices/${id}/test">
${hidden(locale)}<button class="quiet">${locale.texts.notices.test}</button></form>`

/** The page of one channel, with its code and its kinds. */
export function channelBody(locale: DashboardLocale, model: ChannelPageModel): Html {
  const { notices, frame } = locale.texts
  const { channel, secret, good, isNew, problem } = model
  const path = `/dashboard/notices/${channel.id}`
  return html`<p><a href="/dashboard/notices">${frame.back}</a></p>
<div class="between"><h1>${notices.names[channel.name]}</h1>${stateBadge(locale, channel)}</div>
<p class="code" dir="ltr">${channel.target}</p>
${
  good &&
  (isNew
    ? html`<div class="message good" role="status"><p>${good}</p>${testForm(locale, channel)}</div>`
    : message('good', good))
}
${problem && message('warn', problem)}
${
  channel.failing &&
  message(
    'warn',
    notices.failing({ since: locale.dateTime(channel.failing.since), reason: channel.failing.reason }),
  )
}
${
  secret &&
  html`<div class="card">${message('good', notices.secretNew)}
<p>${copyable(locale, secret)}</p></div>`
}
${channel.isVerified ? choicesForm(locale, channel) : codeForm(locale, model)}
<div class="row">
${channel.isVerified && !isNew && testForm(locale, channel)}
<form method="post" action="${path}/remove">${hidden(locale)}
<button class="danger" data-ask="${notices.removeAsk}"
${describedBy('removeChannel')}>${notices.remove}</button></form>
</div>`
}

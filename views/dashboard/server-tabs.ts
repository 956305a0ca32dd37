import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

const tabs = [
  { key: 'shops', path: '/dashboard/server/shops' },
  { key: 'people', path: '/dashboard/server' },
  { key: 'mail', path: '/dashboard/server/mail' },
  { key: 'backups', path: '/dashboard/server/backups' },
  { key: 'figures', path: '/dashboard/server/figures' },
  { key: 'check', path: '/dashboard/server/check' },
] as const

type ServerTab = (typeof tabs)[number]['key']

/** The title of a page for operators, with links to the others. */
export const serverHead = ({ texts: { server } }: DashboardLocale, current: ServerTab): Html =>
  html`<h1>${server.title}</h1>
<nav aria-label="${server.tabsLabel}"><ul class="chips">
${tabs.map(
  ({ key, path }) => html`<li><a href="${path}"${key === current && html` aria-current="page"`}>
${server.tabs[key]}</a></li>
`,
)}</ul></nav>`

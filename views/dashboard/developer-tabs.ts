import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

const tabs = [
  { key: 'keys', path: '/dashboard/developers' },
  { key: 'webhook', path: '/dashboard/webhook' },
  { key: 'deliveries', path: '/dashboard/deliveries' },
  { key: 'tests', path: '/dashboard/test-orders' },
  { key: 'apps', path: '/dashboard/apps' },
  { key: 'audit', path: '/dashboard/audit' },
] as const

type DeveloperTab = (typeof tabs)[number]['key']

/** Links between the pages for developers. Staff may open only the deliveries. */
export function developerTabs(
  { texts: { developers } }: DashboardLocale,
  current: DeveloperTab,
  isOwner: boolean,
): Html | null {
  if (!isOwner) return null
  return html`<nav aria-label="${developers.tabsLabel}"><ul class="chips">
${tabs.map(
  ({ key, path }) => html`<li><a href="${path}"${key === current && html` aria-current="page"`}>
${developers.tabs[key]}</a></li>
`,
)}</ul></nav>`
}

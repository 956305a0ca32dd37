import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

/** What buyers see of a shop. */
export interface Look {
  name: string
  /** of a shop that has set none: the color of Florin */
  color: string
  /** of text on the color */
  ink: string
  logoUrl: string | null
}

/** More are wider than the picture, beside a logo. */
const NAME_MAX = 22

/**
 * How the pages of buyers begin. Colors are attributes, because pages have no inline styles. A script changes
 * it while somebody enters the name, the color or the logo.
 */
export function lookPreview({ texts: { settings } }: DashboardLocale, look: Look): Html {
  const { name, color, ink, logoUrl } = look
  const characters = [...name]
  const shown = characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX).join('')}…` : name
  const label = settings.previewLabel({ name })
  return html`<svg class="look" viewBox="0 0 320 132" role="img" aria-label="${label}"
data-look>
<rect width="320" height="132" rx="10" fill="#fff" stroke="#ccc"/>
<image${logoUrl && html` href="${logoUrl}"`} x="16" y="14" width="40" height="40"/>
<text data-look-name x="${logoUrl ? 68 : 16}" y="40" font-size="16" font-weight="700" fill="#1d1b16">
${shown}</text>
<rect data-look-color x="16" y="76" width="288" height="40" rx="8" fill="${color}"/>
<text data-look-ink x="160" y="101" font-size="15" font-weight="600" fill="${ink}" text-anchor="middle">
${settings.previewButton}</text></svg>`
}

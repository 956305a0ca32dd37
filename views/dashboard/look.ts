import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

/** The appearance of a shop to buyers. */
export interface Look {
  name: string
  /** the shop's color, or Florin's if the shop has set none */
  color: string
  /** color of text on `color` */
  ink: string
  logoUrl: string | null
}

/** Max characters of a name, since a longer one does not fit into the picture beside a logo. */
const NAME_MAX = 22

/**
 * A picture of the head of the buyers' pages. Colors are attributes, because pages have no inline styles. The
 * script updates it while people enter the name, the color or the logo.
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

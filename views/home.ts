import { html } from './html.ts'
import { type Frame, layout } from './layout.ts'
import type { Locale } from './locale.ts'
import { buttonLink } from './parts.ts'

/** The root of the server, for people who look what it is. */
export function homePage(locale: Locale, frame: Frame): string {
  const { home } = locale.texts
  return layout({
    ...frame,
    locale,
    urlIn: tag => `/?lang=${tag}`,
    title: home.title,
    body: html`<div class="card">
<h1>${home.what}</h1>
<p class="hint">${home.buyers}</p>
<p class="hint">${frame.isSandbox ? home.sandbox : home.developers}</p>
${buttonLink('/swagger', home.reference, true)}
</div>`,
  })
}

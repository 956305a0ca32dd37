import { drawnOnce } from './drawn-once.ts'
import { type Html, html, raw } from './html.ts'
import { type Locale, locales } from './locale.ts'

/** The end of the link to each language: its tag, which ends the URL, its attributes and its name. */
const linkEnds = drawnOnce((chosen, all: readonly Locale[]) =>
  all.map(({ tag, name }) =>
    html`${tag}" lang="${tag}" hreflang="${tag}" rel="nofollow"
${tag === chosen.tag && html` aria-current="true"`}>${name}</a></li>`.toString(),
  ),
)

/**
 * Links to a page in each language, which work without JavaScript. The URL that they share is escaped once,
 * not for each language.
 */
function links(chosen: Locale, pageUrl: string): Html {
  const start = html`<li><a href="${pageUrl}${pageUrl.includes('?') ? '&' : '?'}lang=`.toString()
  let text = ''
  for (const end of linkEnds(chosen, locales)) text += start + end
  return raw(text)
}

/** The choice of a language on a page whose URL names none. */
export const languageChoice = (chosen: Locale, pageUrl: string): Html => html`<nav class="languages"
 aria-label="${chosen.texts.page.language}">
<details><summary><span class="unseen">${chosen.texts.page.language}: </span>${chosen.name}</summary>
<ul>
${links(chosen, pageUrl)}
</ul>
</details>
</nav>`

import { drawnOnce } from './drawn-once.ts'
import { type Html, html } from './html.ts'
import { type Locale, locales } from './locale.ts'

/** The URL of this page in another language. */
export type UrlIn = (tag: string) => string

/** The attributes and the text of a link to each language. */
const linksOf = drawnOnce((chosen, all: readonly Locale[]) =>
  all.map(({ tag, name }) => ({
    tag,
    rest: html` lang="${tag}" hreflang="${tag}" rel="nofollow"
${tag === chosen.tag && html` aria-current="true"`}>${name}`,
  })),
)

/** The choice of a language: links, so that it works without JavaScript. */
export const languageChoice = (chosen: Locale, urlIn: UrlIn): Html => html`<nav class="languages"
 aria-label="${chosen.texts.page.language}">
<details><summary><span class="unseen">${chosen.texts.page.language}: </span>${chosen.name}</summary>
<ul>
${linksOf(chosen, locales).map(({ tag, rest }) => html`<li><a href="${urlIn(tag)}"${rest}</a></li>`)}
</ul>
</details>
</nav>`

import { type Html, html } from './html.ts'
import { type Locale, locales } from './locale.ts'

/** The URL of this page in another language. */
export type UrlIn = (tag: string) => string

const link = (chosen: Locale, { tag, name }: Locale, urlIn: UrlIn): Html =>
  html`<li><a href="${urlIn(tag)}" lang="${tag}" hreflang="${tag}" rel="nofollow"
${tag === chosen.tag && html` aria-current="true"`}>${name}</a></li>`

/** The choice of a language: links, so that it works without JavaScript. */
export const languageChoice = (chosen: Locale, urlIn: UrlIn): Html => html`<nav class="languages"
 aria-label="${chosen.texts.page.language}">
<details><summary><span class="unseen">${chosen.texts.page.language}: </span>${chosen.name}</summary>
<ul>
${locales.map(locale => link(chosen, locale, urlIn))}
</ul>
</details>
</nav>`

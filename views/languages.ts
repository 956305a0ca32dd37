import { type Html, html } from './html.ts'
import { type Locale, locales } from './locale.ts'

/** The URL of this page in another language. */
export type UrlIn = (tag: string) => string

/** Stands for a URL. No name contains it. */
const GAP = '\u0000'

const link = (chosen: Locale, { tag, name }: Locale): Html =>
  html`<li><a href="${GAP}" lang="${tag}" hreflang="${tag}" rel="nofollow"
${tag === chosen.tag && html` aria-current="true"`}>${name}</a></li>`

const draw = (chosen: Locale): Html => html`<nav class="languages"
 aria-label="${chosen.texts.page.language}">
<details><summary><span class="unseen">${chosen.texts.page.language}: </span>${chosen.name}</summary>
<ul>
${locales.map(locale => link(chosen, locale))}
</ul>
</details>
</nav>`

const tags = locales.map(({ tag }) => tag)
/** The HTML around the URLs, which is equal on all pages in a language. */
const around = new WeakMap<Locale, readonly string[]>()

/** The choice of a language: links, so that it works without JavaScript. */
export function languageChoice(chosen: Locale, urlIn: UrlIn): Html {
  const texts = around.get(chosen) ?? draw(chosen).toString().split(GAP)
  around.set(chosen, texts)
  return html(texts, ...tags.map(urlIn))
}

import { type Html, html, raw } from '../html.ts'

/** The field of every form that says of which shop its page was. */
export const SHOP_FIELD = 'shownShop'

/** The same page, whose forms say of which shop it is. A value has no ">", which is escaped. */
export const withShownShop = (body: Html, merchantId: string): Html =>
  raw(
    body
      .toString()
      .replaceAll(
        /<form method="post"[^>]*>/g,
        tag => `${tag}${html`<input type="hidden" name="${SHOP_FIELD}" value="${merchantId}">`}`,
      ),
  )

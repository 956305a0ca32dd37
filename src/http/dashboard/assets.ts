import { Elysia } from 'elysia'
import htmx from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import client from '../../../views/dashboard/client.js' with { type: 'text' }
import passkeys from '../../../views/dashboard/passkey-browser.js' with { type: 'text' }
import type { PasskeyUse } from '../../../views/dashboard/passkeys.ts'
import css from '../../../views/dashboard/styles.css' with { type: 'text' }
import sweep from '../../../views/dashboard/sweep-wallet.js' with { type: 'text' }
import tokens from '../../../views/tokens.css' with { type: 'text' }
import type { Context } from '../../operations/context.ts'
import { asset, serveAsset, withoutMap } from '../pages/assets.ts'

const files = {
  css: asset('/assets/dashboard.css', 'text/css; charset=utf-8', tokens + css),
  js: asset('/assets/dashboard.js', 'text/javascript; charset=utf-8', withoutMap(htmx) + client),
  passkeys: asset('/assets/dashboard-passkeys.js', 'text/javascript; charset=utf-8', passkeys),
  sweep: asset('/assets/dashboard-wallet.js', 'text/javascript; charset=utf-8', sweep),
}

/** The stylesheet and the script of a page of the dashboard. */
export const dashboardAssets = { css: files.css.path, js: files.js.path }

/** The script of the page that moves funds, for wallets in the browser. */
export const sweepScript = files.sweep.path

/** The values that a page needs to use passkeys; null where browsers cannot create passkeys. */
export const passkeyUse = ({ passkeys }: Pick<Context, 'passkeys'>): PasskeyUse | null =>
  passkeys.place && { origin: passkeys.place.origin, script: files.passkeys.path }

export const dashboardFiles = () => {
  const app = new Elysia()
  for (const file of Object.values(files)) app.get(file.path, serveAsset(file))
  return app
}

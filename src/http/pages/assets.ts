import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import htmx from 'htmx.org/dist/htmx.min.js' with { type: 'text' }
import client from '../../../views/client.js' with { type: 'text' }
import embed from '../../../views/embed.js' with { type: 'text' }
import framed from '../../../views/framed.js' with { type: 'text' }
import { chipStyles, type MarkModel, markStyles } from '../../../views/icons/icons.ts'
import type { Frame } from '../../../views/layout.ts'
import css from '../../../views/styles.css' with { type: 'text' }
import tokens from '../../../views/tokens.css' with { type: 'text' }
import wallet from '../../../views/wallet.js' with { type: 'text' }

interface Asset {
  path: string
  type: string
  text: string
}

/**
 * A file whose path contains a hash of its content: "/assets/florin.css" becomes
 * "/assets/florin-0123456789ab.css".
 */
export const asset = (name: string, type: string, text: string): Asset => {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const [stem, ending] = name.split('.')
  return { path: `${stem}-${hash}.${ending}`, type, text }
}

/** Removes the reference to a source map, which is not served. */
export const withoutMap = (text: string): string => text.replace(/\n\/[/*]# sourceMappingURL=\S+.*\s*$/, '\n')

/** Removes comments that fill whole lines. */
const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)\n/gm, '')

const style = withoutComments(tokens + css)

/**
 * The stylesheet and the scripts of pages. A page loads the script for wallets when a browser wallet
 * announces itself. The stylesheet draws these marks of coins and networks.
 */
export const pageFiles = (marks: readonly MarkModel[]) => ({
  css: asset('/assets/florin.css', 'text/css; charset=utf-8', style + chipStyles + markStyles(marks)),
  js: asset(
    '/assets/florin.js',
    'text/javascript; charset=utf-8',
    withoutMap(htmx) + withoutComments(client),
  ),
  framed: asset('/assets/framed.js', 'text/javascript; charset=utf-8', withoutComments(framed)),
  wallet: asset('/assets/wallet.js', 'text/javascript; charset=utf-8', withoutComments(wallet)),
})

export type PageFiles = ReturnType<typeof pageFiles>

interface Served {
  files: PageFiles
  isSandbox: boolean
}

export const frameOf = ({ files: { css, js, framed }, isSandbox }: Served): Frame => ({
  assets: { css: css.path, js: js.path, framed: framed.path },
  isSandbox,
})

/** The route of a file. The path changes with the content, so browsers may cache it forever. */
export const serveAsset =
  ({ type, text }: Asset) =>
  ({ set }: { set: { headers: Record<string, string | number> } }): string => {
    set.headers['content-type'] = type
    set.headers['cache-control'] = 'public, max-age=31536000, immutable'
    return text
  }

/** The script for the pages of shops. Its path never changes, so it may not be cached for long. */
const embedScript = withoutComments(embed)

export const assets = (files: PageFiles) => {
  const app = new Elysia().get('/florin.js', ({ set }) => {
    set.headers['content-type'] = 'text/javascript; charset=utf-8'
    set.headers['cache-control'] = 'public, max-age=3600'
    set.headers['cross-origin-resource-policy'] = 'cross-origin'
    set.headers['access-control-allow-origin'] = '*'
    return embedScript
  })
  for (const file of Object.values(files)) app.get(file.path, serveAsset(file))
  return app
}

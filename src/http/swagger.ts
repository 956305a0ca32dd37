import { Elysia } from 'elysia'
import style from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import { llmsText } from '../../views/llms.ts'
import client from '../../views/swagger/client.js' with { type: 'text' }
import { swaggerPage } from '../../views/swagger/page.ts'
import ownStyle from '../../views/swagger/style.css' with { type: 'text' }
import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { asset, withoutMap } from './pages/assets.ts'
import { pageHeaders } from './pages/headers.ts'
import { pathOf } from './request-state.ts'

async function read() {
  const [js, css] = await Promise.all([Bun.file(bundle).text(), Bun.file(style).text()])
  return {
    css: asset('/swagger/ui.css', 'text/css; charset=utf-8', `${withoutMap(css)}\n${ownStyle}`),
    js: asset('/swagger/ui.js', 'text/javascript; charset=utf-8', `${withoutMap(js)}\n${client}`),
  }
}

let loaded: ReturnType<typeof read> | undefined

/**
 * The stylesheet and the script of the page. They are read at the first use, because most servers never need
 * them.
 */
function files() {
  loaded ??= read()
  return loaded
}

/** The pages and files that document the API, for people and for programs. */
export const swagger = (context: Context) =>
  new Elysia()
    .get('/swagger', async ({ set }) => {
      const { css, js } = await files()
      Object.assign(set.headers, pageHeaders)
      return swaggerPage({ css: css.path, js: js.path })
    })
    .get('/swagger/json', async () => (await import('./openapi/document.ts')).openApiDocument())
    .get('/swagger/:file', async ({ request, set }) => {
      // Other spellings of a path, such as with encoded letters, are not found.
      const wanted = Object.values(await files()).find(({ path }) => path === pathOf(request.url))
      if (!wanted) throw new Refusal('not_found')
      set.headers['content-type'] = wanted.type
      set.headers['cache-control'] = 'public, max-age=31536000, immutable'
      return wanted.text
    })
    .get('/llms.txt', ({ set }) => {
      set.headers['content-type'] = 'text/plain; charset=utf-8'
      return llmsText(context.policy.checkoutUrl)
    })

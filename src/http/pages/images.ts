import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { getImage } from '../../operations/products/read.ts'

/**
 * The route of uploaded images, which are public. A URL changes with its image, so browsers may cache it
 * forever.
 */
export const images = (context: Context) =>
  new Elysia().get('/images/:imageId', async ({ params, request }) => {
    const { id, type, bytes } = await getImage(context, params.imageId)
    const etag = `"${id}"`
    const headers = {
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      // An SVG that is opened as a page must not run anything either.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      // A shop may show these images on its own pages.
      'cross-origin-resource-policy': 'cross-origin',
    }
    if (isCached(request.headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers })
    return new Response(new Uint8Array(bytes), { headers: { ...headers, 'content-type': type } })
  })

/** True if the browser has the image: the header has this tag, perhaps as a weak one, or "*". */
const isCached = (tags: string | null, etag: string): boolean =>
  (tags ?? '').split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

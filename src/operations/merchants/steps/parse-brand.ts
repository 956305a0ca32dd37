import { createHash } from 'node:crypto'
import {
  type Brand,
  colorPattern,
  EMBED_ORIGINS_MAX,
  isEmbedOrigin,
  LOGO_BYTES_MAX,
  logoSize,
} from '../../../domain/brand.ts'
import { invalid } from '../../../domain/errors.ts'
import { imageTypeOf, looksLikeSvg } from '../../../domain/image.ts'
import type { ProductImage } from '../../../domain/product.ts'
import type { Context } from '../../context.ts'
import { checkEmail } from '../create.ts'

/** A change of a brand. Empty values remove a property. */
export interface BrandChange {
  /** content of the image file */
  logo?: Uint8Array | undefined
  color?: string | undefined
  supportEmail?: string | undefined
  supportUrl?: string | undefined
  termsUrl?: string | undefined
  privacyUrl?: string | undefined
  searchable?: boolean | undefined
  receipts?: boolean | undefined
  paymentMails?: boolean | null | undefined
  /** separated by commas or spaces */
  embedOrigins?: string | undefined
}

type BrandContext = Pick<Context, 'clock' | 'images' | 'outbound'>

const links = { supportUrl: 'support-url', termsUrl: 'terms-url', privacyUrl: 'privacy-url' } as const

function parseColor(color: string): string | null {
  const lower = color.toLowerCase()
  if (color !== '' && !colorPattern.test(lower)) {
    throw invalid('color', 'must be a color such as "#14614a": # and six hexadecimal digits')
  }
  return lower || null
}

function parseOrigins(text: string): Brand['embedOrigins'] {
  const origins = [...new Set(text.split(/[\s,]+/).flatMap(one => one.toLowerCase() || []))]
  if (origins.length <= EMBED_ORIGINS_MAX && origins.every(isEmbedOrigin))
    return origins.length === 0 ? null : origins
  throw invalid(
    'embed-origins',
    `must be at most ${EMBED_ORIGINS_MAX} origins such as "https://shop.example", without a path`,
  )
}

async function readLogo(
  context: BrandContext,
  merchantId: string,
  bytes: Uint8Array,
): Promise<[ProductImage, Brand['logo']]> {
  if (bytes.length > LOGO_BYTES_MAX) throw invalid('logo', `must be at most ${LOGO_BYTES_MAX} bytes`)
  const type = imageTypeOf(bytes) ?? (looksLikeSvg(bytes) ? 'image/svg+xml' : null)
  if (!type) throw invalid('logo', 'must be a PNG, JPEG, WebP or SVG file')
  const result =
    type === 'image/svg+xml'
      ? context.images.readSvg(bytes, logoSize)
      : await context.images.read(type, bytes, logoSize)
  if ('problem' in result) throw invalid('logo', `must ${result.problem}`)
  const id = createHash('sha256').update(merchantId).update(result.bytes).digest('hex')
  const { width, height } = result
  return [
    { id, merchantId, type, bytes: result.bytes, createdAt: context.clock() },
    { id, width, height },
  ]
}

/** Checks the given parts of a brand. Returns them as they are stored, with a new image. */
export async function parseBrand(
  context: BrandContext,
  merchantId: string,
  input: BrandChange,
): Promise<Partial<Brand> & { image: ProductImage | null }> {
  const { searchable, receipts, paymentMails } = input
  const switches = Object.entries({ searchable, receipts, paymentMails })
  const change: Partial<Brand> = Object.fromEntries(switches.filter(([, value]) => value !== undefined))
  for (const [name, at] of Object.entries(links) as [keyof typeof links, string][]) {
    const url = input[name]
    if (url === undefined) continue
    if (url !== '') await context.outbound.webhook.check(url, at, false)
    change[name] = url || null
  }
  if (input.embedOrigins !== undefined) change.embedOrigins = parseOrigins(input.embedOrigins)
  if (input.color !== undefined) change.color = parseColor(input.color)
  if (input.supportEmail !== undefined) {
    change.supportEmail = input.supportEmail === '' ? null : checkEmail(input.supportEmail, 'support-email')
  }
  if (input.logo === undefined) return { ...change, image: null }
  if (input.logo.length === 0) return { ...change, logo: null, image: null }
  const [image, logo] = await readLogo(context, merchantId, input.logo)
  return { ...change, logo, image }
}

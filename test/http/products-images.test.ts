import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { changeMerchant } from '../../src/operations/merchants/change.ts'
import { givenMerchant, givenOrder, givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { productProblems } from './expected-shapes.ts'
import { base64, chunk, dataUri, pictureFile, png, productBody } from './products.ts'
import { ask, data, MARKER, refused } from './request.ts'
import { rowOf } from './rows.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))
once(() => app.jobs.settle())

const wrong = { status: 400, code: 'validation_error', path: 'imageBase64' }
const MB = 1024 * 1024

const jpeg = pictureFile('baseline.jpg')
const webp = pictureFile('lossy.webp')
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 0xff
  return copy
}
const cut = (bytes: Buffer, share: number): Buffer => bytes.subarray(0, Math.floor(bytes.length * share))
/** A VP8X file has its size twice: here the canvas and the picture differ. */
const wrongCanvas = (() => {
  const picture = webp.subarray(12)
  const canvas = Buffer.from('56503858' + '0a000000' + '00000000' + '1f0300' + '1f0300', 'hex')
  const small = pictureFile('wide.webp').subarray(12)
  const of = (part: Buffer) => {
    const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
    head.writeUInt32LE(4 + canvas.length + part.length, 4)
    return Buffer.concat([head, canvas, part])
  }
  return { lie: of(small), truth: of(picture) }
})()
const text = (name: string, bytes: Buffer) => chunk(name, Buffer.concat([Buffer.from('k\0\0'), bytes]))
/** Thousands of passes over every pixel, each a few bytes long. */
const manyScans = (() => {
  const file = pictureFile('progressive.jpg')
  const at = file.lastIndexOf(Buffer.from('ffda', 'hex'))
  const scan = Buffer.concat([file.subarray(at, at + 2 + file.readUInt16BE(at + 2)), Buffer.alloc(1)])
  return Buffer.concat([file.subarray(0, -2), ...Array(5000).fill(scan), file.subarray(-2)])
})()

const wrongImages: [title: string, value: unknown][] = [
  ['null', null],
  ['empty', ''],
  ['a number', 5],
  ['not Base64', `${MARKER}!`],
  ['Base64 of a word', base64(Buffer.from(MARKER))],
  ['Base64 without its padding', base64(Buffer.concat([png(), Buffer.of(0)])).replace(/=+$/, '')],
  ['Base64 with a line break', `${base64(png()).slice(0, 76)}\n${base64(png()).slice(76)}`],
  ['URL-safe Base64', base64(jpeg).replaceAll('+', '-').replaceAll('/', '_')],
  ['an empty data URI', 'data:image/png;base64,'],
  ['a data URI of another type', dataUri('gif', png())],
  ['a data URI without a type', `data:;base64,${base64(png())}`],
  ['a data URI without Base64', `data:image/png,${base64(png())}`],
  ['a GIF', base64(Buffer.concat([Buffer.from('GIF89a'), png()]))],
  ['an SVG', base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"/>'))],
  ['a PNG declared as a JPEG', dataUri('jpeg', png())],
  ['a JPEG declared as a PNG', dataUri('png', jpeg)],
  ['a WebP declared as a PNG', dataUri('png', webp)],
  ['a JPEG behind the first bytes of a PNG', base64(Buffer.concat([png().subarray(0, 8), jpeg]))],
  ['a PNG of 799 by 800', base64(png({ width: 799 }))],
  ['a PNG of 800 by 801', base64(png({ height: 801 }))],
  ['a JPEG of 800 by 799', base64(pictureFile('low.jpg'))],
  ['a WebP of 801 by 800', base64(pictureFile('wide.webp'))],
  ['a WebP with a wrong canvas size', base64(wrongCanvas.lie)],
  ['an animated WebP', base64(pictureFile('animated.webp'))],
  ['an animated PNG', base64(png({ extras: [chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] }))],
  ['a PNG of 307,201 bytes', base64(padded(307_201))],
  ['410,001 characters long', 'A'.repeat(410_001)],
  ['a PNG without its end', base64(png({ isEnded: false }))],
  ['a PNG that is cut in half', base64(cut(png(), 0.5))],
  ['a PNG that lacks its last byte', base64(png().subarray(0, -1))],
  ['a PNG that lacks rows', base64(png({ pixels: Buffer.alloc(2401 * 799) }))],
  ['a PNG with a row too many', base64(png({ pixels: Buffer.alloc(2401 * 801) }))],
  ['a PNG with an unknown filter', base64(png({ pixels: Buffer.alloc(2401 * 800, 9) }))],
  ['a PNG with an unknown colour type', base64(png({ colour: 5 }))],
  ['a PNG with a wrong header checksum', base64(flipped(png(), 29))],
  ['a PNG with a wrong pixel checksum', base64(flipped(png(), png().length - 13))],
  ['a PNG whose pixels expand to 200 MB', base64(png({ pixels: Buffer.alloc(200 * MB) }))],
  ['a PNG of 60000 by 60000', base64(png({ width: 60_000, height: 60_000, pixels: Buffer.alloc(100) }))],
  ['a PNG whose text expands', base64(png({ extras: [text('zTXt', deflateSync(Buffer.alloc(50 * MB)))] }))],
  [
    'a PNG whose profile expands',
    base64(
      png({
        extras: [chunk('iCCP', Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(50 * MB))]))],
      }),
    ),
  ],
  ['a JPEG that is cut in half', base64(cut(jpeg, 0.5))],
  ['a JPEG that lacks its end', base64(jpeg.subarray(0, -2))],
  ['a JPEG with only a header', base64(cut(jpeg, 0.02))],
  ['a progressive JPEG that is cut short', base64(cut(pictureFile('progressive.jpg'), 0.9))],
  ['a JPEG with 5000 scans', base64(manyScans)],
  [
    'a JPEG with only its first and last bytes',
    base64(Buffer.concat([jpeg.subarray(0, 3), jpeg.subarray(-2)])),
  ],
  ['a WebP that is cut in half', base64(cut(webp, 0.5))],
  ['a WebP that lacks its last byte', base64(webp.subarray(0, -1))],
  ['a lossless WebP that is cut short', base64(cut(pictureFile('lossless.webp'), 0.9))],
]

/** A valid PNG with a given number of bytes. */
function padded(size: number): Buffer {
  const bare = png().length
  return png({ extras: [chunk('tEXt', Buffer.alloc(size - bare - 12, 'a').fill(0, 1, 2))] })
}

test.each(wrongImages)('an image that is %s is refused', async (_, imageBase64) => {
  const body = productBody({ imageBase64 })
  await refused(app, wrong, 'POST', '/v1/products', { key: shop.live, body })
})

test('an image is refused when the same body has an imageUrl, even null', async () => {
  const image = { imageBase64: base64(png()) }
  for (const imageUrl of ['https://shop.example/a.png', null]) {
    const body = productBody({ ...image, imageUrl })
    await refused(app, wrong, 'POST', '/v1/products', { key: shop.live, body })
    const { productUUID } = await data(
      app,
      'POST',
      '/v1/products',
      { key: shop.live, body: productBody() },
      201,
    )
    const change = { ...image, imageUrl }
    await refused(app, wrong, 'PATCH', `/v1/products/${productUUID}`, { key: shop.live, body: change })
  }
})

test('one bad image in a bulk request stores no product and no image', async () => {
  const items = [
    productBody({ imageBase64: base64(png({ colour: 0 })) }),
    productBody({ imageBase64: base64(cut(jpeg, 0.9)) }),
  ]
  const upserts = items.map(item => ({ ...item, productUUID: crypto.randomUUID() }))
  const at = { ...wrong, path: '/items/1/imageBase64' }
  await refused(app, at, 'PUT', '/v1/products/bulk', { key: shop.live, body: { items: upserts } })
  await refused(app, at, 'POST', '/v1/products/bulk', { key: shop.live, body: { items } })
})

const goodImages: [title: string, type: string, bytes: Buffer][] = [
  ['colour PNG', 'png', png()],
  ['grey PNG', 'png', png({ colour: 0 })],
  ['black and white PNG', 'png', png({ colour: 0, depth: 1 })],
  ['16-bit PNG', 'png', png({ depth: 16 })],
  ['4-bit palette PNG', 'png', png({ colour: 3, depth: 4 })],
  ['8-bit palette PNG', 'png', png({ colour: 3 })],
  ['grey PNG with alpha', 'png', png({ colour: 4 })],
  ['PNG with alpha', 'png', png({ colour: 6 })],
  ['16-bit PNG with alpha', 'png', png({ colour: 6, depth: 16 })],
  ['interlaced PNG', 'png', png({ isInterlaced: true })],
  ['interlaced one-bit PNG', 'png', png({ isInterlaced: true, colour: 0, depth: 1 })],
  ['JPEG', 'jpeg', jpeg],
  ['progressive JPEG', 'jpeg', pictureFile('progressive.jpg')],
  ['grey JPEG', 'jpeg', pictureFile('grey.jpg')],
  ['JPEG for print', 'jpeg', pictureFile('cmyk.jpg')],
  ['lossy WebP', 'webp', webp],
  ['lossless WebP', 'webp', pictureFile('lossless.webp')],
  ['WebP with alpha', 'webp', pictureFile('alpha.webp')],
  ['WebP with a canvas', 'webp', wrongCanvas.truth],
]

test.each(goodImages)('a %s is accepted and returned unchanged', async (_, type, bytes) => {
  for (const imageBase64 of [
    base64(bytes),
    dataUri(type, bytes),
    dataUri(type, bytes).replace('image', 'IMAGE'),
  ]) {
    const body = productBody({ imageBase64 })
    const product = await data(app, 'POST', '/v1/products', { key: shop.test, body }, 201)
    expect(productProblems(product)).toEqual([])
    expect(product.imageUrl).toBe(dataUri(type, bytes))
    expect(await data(app, 'GET', `/v1/products/${product.productUUID}`, { key: shop.live })).toEqual(product)
  }
})

const trimmedImages: [title: string, type: string, bytes: Buffer, stored: Buffer][] = [
  ['PNG with text', 'png', png({ extras: [text('zTXt', deflateSync(Buffer.from('by Sam')))] }), png()],
  ['PNG of exactly 307,200 bytes', 'png', padded(307_200), png()],
  ['JPEG with trailing bytes, as cameras write', 'jpeg', Buffer.concat([jpeg, Buffer.alloc(64)]), jpeg],
]

test.each(trimmedImages)(
  'a %s is accepted and returned without the data beside the picture',
  async (_, type, bytes, stored) => {
    const body = productBody({ imageBase64: dataUri(type, bytes) })
    const { imageUrl } = await data(app, 'POST', '/v1/products', { key: shop.test, body }, 201)
    expect(imageUrl).toBe(dataUri(type, stored))
  },
)

const upload = (bytes: Buffer, key = shop.live) =>
  data(app, 'POST', '/v1/products', { key, body: productBody({ imageBase64: base64(bytes) }) }, 201)

/** The URL of a product's image, which its orders show. */
const pathOf = async (productUUID: string, by = shop): Promise<string> => {
  const change = { productUUID, amount: undefined, currency: undefined, paymentMethodsKeys: undefined }
  const { productImageUrl } = await givenOrder(app, by, change)
  return new URL(productImageUrl).pathname
}

test('a file that is uploaded twice is stored once for each merchant', async () => {
  const bytes = png({ pixels: Buffer.alloc(2401 * 800).fill(3, 1, 2) })
  const count = () => Number(rowOf(app, 'SELECT COUNT(*) AS n FROM product_images').n)
  const before = count()
  await upload(bytes)
  await upload(bytes)
  expect(count()).toBe(before + 1)
  const other = await givenMerchant(app)
  await upload(bytes, other.live)
  expect(count()).toBe(before + 2)
})

test('imageUrl null removes an uploaded image, and either kind of image replaces the other', async () => {
  const { productUUID } = await upload(png())
  const patch = async (body: object) =>
    (await data(app, 'PATCH', `/v1/products/${productUUID}`, { key: shop.live, body })).imageUrl
  expect(await patch({ name: 'Another blend' })).toBe(dataUri('png', png()))
  expect(await patch({ imageUrl: null })).toBeNull()
  expect(await patch({ imageUrl: 'http://shop.example/a.png' })).toBe('http://shop.example/a.png')
  expect(await patch({ imageBase64: base64(jpeg) })).toBe(dataUri('jpeg', jpeg))
  expect(await patch({ imageUrl: 'https://shop.example/b.png' })).toBe('https://shop.example/b.png')
})

test('an uploaded image is public, at a URL that never changes', async () => {
  const { productUUID } = await upload(webp)
  const path = await pathOf(productUUID)
  const get = (headers = {}) => app.florin.http.handle(new Request(`http://localhost${path}`, { headers }))
  const answer = await get({ 'accept-encoding': 'gzip, br' })
  expect(answer.status).toBe(200)
  expect(base64(await answer.bytes())).toBe(base64(webp))
  const headers = Object.fromEntries(answer.headers)
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(headers['content-encoding']).toBeUndefined()
  const { etag = '' } = headers
  for (const tags of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const known = await get({ 'if-none-match': tags })
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
  }
  expect((await get({ 'if-none-match': '"another"' })).status).toBe(200)
})

test('an image is still served after its product got another one, because orders show it', async () => {
  const { productUUID } = await upload(pictureFile('grey.jpg'))
  const path = await pathOf(productUUID)
  await data(app, 'PATCH', `/v1/products/${productUUID}`, { key: shop.live, body: { imageUrl: null } })
  expect((await app.call('GET', path)).status).toBe(200)
})

test('an image that is unknown or belongs to a suspended merchant is not found', async () => {
  const absent = { status: 404, code: 'not_found' }
  for (const id of ['0'.repeat(64), MARKER, '..%2f']) await refused(app, absent, 'GET', `/images/${id}`)
  const other = await givenShop(app)
  const path = await pathOf((await upload(jpeg, other.live)).productUUID, other)
  await changeMerchant(app.context, other.id, { status: 'suspended' })
  await refused(app, absent, 'GET', path)
  await changeMerchant(app.context, other.id, { status: 'active' })
  expect((await app.call('GET', path)).status).toBe(200)
})

test('decompression bombs cost neither time nor memory', async () => {
  const bombs = [png({ pixels: Buffer.alloc(300 * MB) }), manyScans].map(base64)
  const before = process.memoryUsage.rss()
  const cpu = process.cpuUsage()
  for (const imageBase64 of bombs) {
    await ask(app, 'POST', '/v1/products', { key: shop.live, body: productBody({ imageBase64 }) })
  }
  expect(process.cpuUsage(cpu).user).toBeLessThan(1_000_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MB)
})

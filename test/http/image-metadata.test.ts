import { describe, expect, test } from 'bun:test'
import { givenShop } from '../support/given.ts'
import { suite } from '../support/suite.ts'
import { base64, chunk, pictureFile, png, productBody } from './products.ts'
import { data } from './request.ts'

const { app, once } = suite()
const shop = once(() => givenShop(app))

/** Uploads an image. Returns the image that the API returns, which is the one that buyers get. */
async function upload(bytes: Buffer): Promise<Buffer> {
  const body = productBody({ imageBase64: base64(bytes) })
  const { productUUID, imageUrl } = await data(app, 'POST', '/v1/products', { key: shop.live, body }, 201)
  const stored = Buffer.from(imageUrl.split(',')[1], 'base64')
  const shown = (await data(app, 'GET', `/v1/checkout/products/${productUUID}`)).imageUrl
  const served = await app.florin.http.handle(new Request(`http://localhost${new URL(shown).pathname}`))
  expect(Buffer.from(await served.arrayBuffer()).equals(stored)).toBe(true)
  return stored
}

const pixelsOf = async (bytes: Buffer) => base64(await new Bun.Image(bytes).png().bytes())

/** TIFF with the orientation "turned by 90 degrees" and nothing else. */
const TURNED = Buffer.from('4d4d002a00000008' + '0001' + '0112000300000001' + '00060000' + '00000000', 'hex')
/** Photographs with camera, author and place in EXIF, XMP and comments, and a colour profile. */
const photos = [
  { file: 'photo.jpg', profile: 'ICC_PROFILE', turned: Buffer.concat([Buffer.from('Exif\0\0'), TURNED]) },
  { file: 'photo.png', profile: 'iCCP', turned: chunk('eXIf', TURNED) },
  { file: 'photo.webp', profile: 'ICCP', turned: Buffer.concat([Buffer.from('EXIF\x1a\0\0\0'), TURNED]) },
]

describe.each(photos)('the photograph $file', ({ file, profile, turned }) => {
  const photo = pictureFile(file)

  test('loses camera, author, place and comments', async () => {
    expect(photo.toString('latin1')).toMatch(/secret/i)
    expect((await upload(photo)).toString('latin1')).not.toMatch(/secret|GPS|xmp|IPTC|Photoshop/i)
  })

  test('keeps its pixels, its colour profile and its orientation', async () => {
    const stored = await upload(photo)
    expect(await pixelsOf(stored)).toBe(await pixelsOf(photo))
    expect(stored.includes(profile)).toBe(true)
    expect(stored.includes(turned)).toBe(true)
    expect(stored.length).toBeLessThan(photo.length)
  })

  test('is stored once, whatever data follows its end, and does not change when it is uploaded again', async () => {
    const stored = await upload(photo)
    const page = Buffer.from('<html>SecretTail</html>')
    expect((await upload(Buffer.concat([photo, page]))).equals(stored)).toBe(true)
    expect((await upload(stored)).equals(stored)).toBe(true)
  })
})

const segment = (marker: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker, (payload.length + 2) >> 8, (payload.length + 2) & 255]), payload])
const exif = (tiff: Buffer) => segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff]))
const jpeg = pictureFile('baseline.jpg')
const START = jpeg.subarray(0, 2)
const REST = jpeg.subarray(2)
/** The bytes after the JFIF segment, which has 18 bytes. */
const AFTER_JFIF = jpeg.subarray(20)

const hidden: [what: string, file: Buffer][] = [
  ['a comment', Buffer.concat([START, segment(0xfe, Buffer.from('Secret')), REST])],
  [
    'a comment before its end',
    Buffer.concat([jpeg.subarray(0, -2), segment(0xfe, Buffer.from('Secret')), jpeg.subarray(-2)]),
  ],
  ['an unknown segment', Buffer.concat([START, segment(0xeb, Buffer.from('Secret')), REST])],
  [
    'an empty segment and fill bytes',
    Buffer.concat([START, segment(0xeb, Buffer.alloc(0)), Buffer.from([0xff, 0xff]), REST]),
  ],
  ['a second start', Buffer.concat([START, segment(0xe0, Buffer.from('JFXX\0Secret')), REST])],
  [
    'the thumbnail of its first segment',
    Buffer.concat([
      START,
      segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\x01\x02Secret')),
      AFTER_JFIF,
    ]),
  ],
  ['several pictures in one', Buffer.concat([START, segment(0xe2, Buffer.from('MPF\0Secret')), REST, jpeg])],
  [
    'EXIF without orientation',
    Buffer.concat([START, exif(Buffer.from('4d4d002a00000008000001', 'hex')), REST]),
  ],
  [
    'EXIF with the usual orientation',
    Buffer.concat([
      START,
      exif(Buffer.from('49492a0008000000010012010300010000000100000000000000', 'hex')),
      REST,
    ]),
  ],
  ['EXIF that is cut short', Buffer.concat([START, exif(Buffer.from('4d4d002a0000000800ff', 'hex')), REST])],
  [
    'EXIF that points beyond its end',
    Buffer.concat([START, exif(Buffer.from('4d4d002affffffff0001', 'hex')), REST]),
  ],
  ['EXIF of no kind', Buffer.concat([START, exif(Buffer.from('Secret')), REST])],
]

test.each(hidden)('a JPEG with %s is stored as if it had none', async (_, file) => {
  expect(file.equals(jpeg)).toBe(false)
  expect((await upload(file)).equals(jpeg)).toBe(true)
})

test('the orientation of a JPEG in either byte order is kept', async () => {
  const little = Buffer.from('49492a0008000000' + '0100' + '12010300010000000800000000000000', 'hex')
  const stored = await upload(Buffer.concat([START, exif(little), REST]))
  const big = Buffer.from('4d4d002a00000008' + '0001' + '01120003000000010008000000000000', 'hex')
  expect(stored.equals(Buffer.concat([START, exif(big), REST]))).toBe(true)
})

test('a PNG loses every chunk that does not change how it looks', async () => {
  const extras = ['tEXt', 'zzZz', 'tIME', 'iTXt', 'prVt'].map(name => chunk(name, Buffer.from('k\0Secret')))
  const gamma = chunk('gAMA', Buffer.from([0, 1, 0x86, 0xa0]))
  const stored = await upload(png({ extras: [...extras, gamma] }))
  expect(stored.equals(png({ extras: [gamma] }))).toBe(true)
})

test('a WebP loses unknown chunks and the flags for them', async () => {
  const alpha = pictureFile('alpha.webp')
  const added = Buffer.concat([alpha, Buffer.from('XMP \x06\0\0\0SecretZZZZ\x05\0\0\0Secre\0')])
  added.writeUInt32LE(added.length - 8, 4)
  added[20]! |= 0x04
  expect((await upload(added)).equals(alpha)).toBe(true)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

export const template = (change: object = {}) => ({
  amount: '12.50',
  currency: 'USD',
  paymentMethodsKeys: ['*'],
  ...change,
})

/** The body of a new product. */
export const productBody = (change: object = {}) => ({
  name: 'House blend',
  orderTemplate: template(),
  ...change,
})

/** A file that ImageMagick encoded from a photograph. */
export const pictureFile = (name: string): Buffer =>
  readFileSync(join(import.meta.dir, '../support/images', name))

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
export const dataUri = (type: string, bytes: Uint8Array): string =>
  `data:image/${type};base64,${base64(bytes)}`

export function chunk(name: string, bytes: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), bytes])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(bytes.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

interface Png {
  width?: number
  height?: number
  depth?: number
  /** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha */
  colour?: number
  isInterlaced?: boolean
  /** replaces the rows of the right size */
  pixels?: Uint8Array
  /** chunks before the pixels */
  extras?: Buffer[]
  isEnded?: boolean
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const adam7 = ['0088', '4088', '0448', '2044', '0224', '1022', '0112'].map(text => [...text].map(Number))

function rowsOf({ width = 800, height = 800, depth = 8, colour = 2, isInterlaced = false }: Png): Buffer {
  const rows: Buffer[] = []
  for (const [x = 0, y = 0, right = 1, down = 1] of isInterlaced ? adam7 : [[0, 0, 1, 1]]) {
    const bytes = Math.ceil((Math.ceil((width - x) / right) * depth * (channels[colour] ?? 0)) / 8)
    for (let row = y; row < height; row += down) rows.push(Buffer.alloc(1 + bytes, row % 4).fill(0, 0, 1))
  }
  return Buffer.concat(rows)
}

/** A PNG written chunk by chunk, so that each part can be made invalid. */
export function png(input: Png = {}): Buffer {
  const {
    width = 800,
    height = 800,
    depth = 8,
    colour = 2,
    isInterlaced,
    extras = [],
    isEnded = true,
  } = input
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, isInterlaced ? 1 : 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(colour === 3 ? [chunk('PLTE', Buffer.from([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255]))] : []),
    ...extras,
    chunk('IDAT', deflateSync(input.pixels ?? rowsOf(input))),
    ...(isEnded ? [chunk('IEND', Buffer.alloc(0))] : []),
  ])
}

import { LruCache } from '../domain/lru-cache.ts'

const QUIET_MODULES = 4

/** Characters of codes, of some 9,000 each. */
const DRAWN_MAX = 2_000_000

/** Drawing a code takes most of the time of a page that shows one, and a page is requested many times. */
const drawn = new LruCache<string>(DRAWN_MAX, svg => svg.length)

/** A QR code as an inline SVG with one path, black on white in every colour scheme. */
export const qrSvg = (text: string): string => drawn.get(text, () => draw(text))

type QrCode = typeof import('qrcode/lib/core/qrcode')

function draw(text: string): string {
  // Loaded with the first code, so that a start does not wait for it.
  const { create } = require('qrcode/lib/core/qrcode') as QrCode
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const size = modules.size + 2 * QUIET_MODULES
  const rows = Array.from({ length: modules.size }, (_, y) => runsOf(modules, y)).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${rows}"/></svg>`
  )
}

function runsOf(modules: { size: number; get(row: number, column: number): number }, y: number): string {
  let path = ''
  for (let x = 0; x < modules.size; x++) {
    let length = 0
    while (x + length < modules.size && modules.get(y, x + length)) length++
    if (length > 0) path += `M${x + QUIET_MODULES} ${y + QUIET_MODULES}h${length}v1h-${length}z`
    x += length
  }
  return path
}

import type { QRCodeSegment } from 'qrcode/lib/core/qrcode'
import { joined } from '../../views/html.ts'
import { LruCache } from '../domain/lru-cache.ts'

const QUIET_MODULES = 4

/**
 * The fixed mask of every code. Choosing the best of eight, as the standard advises, takes longer than
 * everything else, and readers do not need it: tests read the codes of every coin.
 */
const MASK = 2

/**
 * Matches runs of characters that take fewer bits in alphanumeric mode, such as %D9%82%D9%87. Shorter runs do
 * not pay off.
 */
const ALPHANUMERIC = /([0-9A-Z $%*+\-./:]{16,})/

type QrCode = typeof import('qrcode/lib/core/qrcode')

/**
 * Cached codes, limited by their characters; a code has some 9,000. Drawing a code takes a quarter of the
 * time of its page.
 */
const drawn = new LruCache<string>(2_000_000, svg => svg.length)

/** A QR code as an inline SVG with one path, black on white in every colour scheme. */
export const qrSvg = (text: string): string => drawn.get(text, () => joined(draw(text)))

function draw(text: string): string {
  // The library is loaded with the first code, to keep the start of the server fast.
  const { create } = require('qrcode/lib/core/qrcode') as QrCode
  const { modules } = create(segmentsOf(text), { errorCorrectionLevel: 'M', maskPattern: MASK })
  const { size, data } = modules
  const all = size + 2 * QUIET_MODULES
  let path = ''
  for (let y = 0; y < size; y++) path += runsOf(data.subarray(y * size, (y + 1) * size), y)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${all} ${all}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${all}v${all}H0z"/><path fill="#000" d="${path}"/></svg>`
  )
}

/**
 * Splits a text into segments with a mode each. The result is not the shortest mixture of modes, because
 * finding that takes ten times as long as everything else.
 */
const segmentsOf = (text: string): QRCodeSegment[] =>
  text
    .split(ALPHANUMERIC)
    .flatMap((data, at) =>
      data === ''
        ? []
        : at % 2 === 1
          ? { data, mode: 'alphanumeric' }
          : { data: Buffer.from(data), mode: 'byte' },
    )

/** The dark modules of a row. */
function runsOf(row: Uint8Array, y: number): string {
  let path = ''
  for (let from = row.indexOf(1); from !== -1; ) {
    const end = row.indexOf(0, from)
    const length = (end === -1 ? row.length : end) - from
    path += `M${from + QUIET_MODULES} ${y + QUIET_MODULES}h${length}v1h-${length}z`
    from = row.indexOf(1, from + length)
  }
  return path
}

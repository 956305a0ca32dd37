import { crc32, deflateSync } from 'node:zlib'

function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(content.length)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}

/** A green picture with the given number of pixels, and an optional comment. */
export function pngOf(width: number, height: number, comment: string | null = null): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(3 * width, Buffer.from([20, 97, 74]))])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(comment === null ? [] : [chunk('tEXt', Buffer.from(`Comment\0${comment}`, 'latin1'))]),
    chunk('IDAT', deflateSync(Buffer.concat(Array(height).fill(row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

import { concatBytes } from '@noble/ciphers/utils.js'

/** Some pages of a database, with what they belong to. */
export interface PageSet<Head> {
  head: Head
  pageSize: number
  pages: ReadonlyMap<number, Uint8Array>
}

/** What is known about a segment: the commits of about half a second. */
export interface SegmentHead {
  generation: string
  sequence: number
  /** the hash of the object before it */
  previous: string
  /** all segments up to this one were stored before this one was sent */
  stored: number
  /** how many pages the database has after it */
  databasePages: number
  /** it has no commit that is newer */
  at: number
}

/** What is known about a part of a snapshot. */
export interface PartHead {
  snapshot: string
  part: number
}

const WORD = 4

/** The length of a text, the text, the numbers of the pages, and the pages. */
export function encodePages<Head>({ head, pageSize, pages }: PageSet<Head>): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify({ head, pageSize, count: pages.size }))
  const length = new DataView(new ArrayBuffer(WORD))
  length.setUint32(0, text.length)
  const numbers = new DataView(new ArrayBuffer(WORD * pages.size))
  for (const [index, number] of [...pages.keys()].entries()) numbers.setUint32(WORD * index, number)
  return concatBytes(new Uint8Array(length.buffer), text, new Uint8Array(numbers.buffer), ...pages.values())
}

export function decodePages<Head>(bytes: Uint8Array): PageSet<Head> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = WORD + view.getUint32(0)
  const { head, pageSize, count } = JSON.parse(new TextDecoder().decode(bytes.subarray(WORD, end)))
  const first = end + WORD * count
  const pages = new Map<number, Uint8Array>()
  for (let index = 0; index < count; index++) {
    const from = first + index * pageSize
    pages.set(view.getUint32(end + WORD * index), bytes.subarray(from, from + pageSize))
  }
  return { head, pageSize, pages }
}

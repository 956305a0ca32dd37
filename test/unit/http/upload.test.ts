import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { boundaryOf } from '../../../src/http/dashboard/form-parts.ts'
import { FILE_MAX, readUpload } from '../../../src/http/dashboard/multipart.ts'

const MB = 1024 * 1024
const TYPE = 'multipart/form-data; boundary=x'

/** A request whose body arrives in pieces of `size` bytes. */
function inPieces(body: Uint8Array, contentType: string, size: number): Request {
  let at = 0
  const stream = new ReadableStream({
    pull(controller) {
      if (at >= body.length) controller.close()
      else controller.enqueue(body.slice(at, at + size))
      at += size
    },
  })
  return new Request('http://localhost/', {
    method: 'POST',
    body: stream,
    headers: { 'content-type': contentType },
  })
}

async function send(form: FormData, size: number) {
  const sent = new Request('http://localhost/', { method: 'POST', body: form })
  const type = sent.headers.get('content-type') ?? ''
  return readUpload(inPieces(new Uint8Array(await sent.arrayBuffer()), type, size), 'ann')
}

const raw = (body: string | Uint8Array, type = TYPE) =>
  readUpload(inPieces(Buffer.from(body as string), type, 64 * 1024), 'ann')

const field = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

describe('a form with files', () => {
  test('is read with any values, and wherever its body is divided', async () => {
    // Parts of delimiters, which must not be taken for delimiters.
    const text = fc.string({ unit: fc.constantFrom('\r\n', '-', '--x', 'a', 'ü', '😀', 'x'), maxLength: 40 })
    const file = fc.uint8Array({ maxLength: 300 })
    const fields = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), text), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fields, file, fc.integer({ min: 1, max: 90 }), async (entries, bytes, size) => {
        const form = new FormData()
        for (const [name, value] of entries) form.append(name, value)
        form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'a.png')
        form.append('last', 'kept')
        const read = await send(form, size)
        expect(read.file).toEqual(bytes.length > 0 ? bytes : null)
        expect(read.fields).toEqual({ ...Object.fromEntries(entries), last: 'kept' })
        for (const name of ['a', 'b', 'c']) {
          const values = entries.flatMap(([one, value]) => (one === name ? [value] : []))
          expect(read.lists[name] ?? []).toEqual(values)
        }
      }),
    )
  })

  test.each([1000, 64 * 1024, 32 * MB])(
    'keeps the fields after a photo that is too large, in pieces of %p bytes',
    async size => {
      const form = new FormData()
      const photo = new Uint8Array(size < 2000 ? 2 * MB : 30 * MB).fill(7)
      form.append('file', new Blob([photo]), 'photo.jpg')
      form.append('name', 'Tea')
      const { fields, file } = await send(form, size)
      expect(fields).toEqual({ name: 'Tea' })
      expect(file).toHaveLength(FILE_MAX)
    },
  )

  test('may have 200 fields, and is refused at once with more', async () => {
    const { lists } = await raw(`${field('coins', 'btc').repeat(200)}--x--\r\n`)
    expect(lists.coins).toHaveLength(200)
    const body = Buffer.from(field('coins', 'btc').repeat(400_000))
    const before = process.cpuUsage().user
    await expect(raw(body)).rejects.toThrow('must have at most 200 fields')
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(100)
  })

  test('may have texts of 65,536 characters in any script, but no longer ones', async () => {
    for (const letter of ['a', 'ü', '茶', '😀']) {
      const text = letter.repeat(65_536 / letter.length)
      expect((await raw(`${field('text', text)}--x--`)).fields).toEqual({ text })
      const long = raw(`${field('text', `${text}a`)}--x--`)
      await expect(long).rejects.toThrow('must have at most 65536 characters')
    }
    await expect(raw(`${field('text', 'a'.repeat(20 * MB))}--x--`)).rejects.toThrow(
      'at most 65536 characters',
    )
    await expect(raw(field('text', 'a'.repeat(MB)).repeat(20))).rejects.toThrow(/must be at most \d+ bytes/)
  })

  test.each([
    ['a form without files', 'application/x-www-form-urlencoded'],
    ['JSON', 'application/json'],
    ['no type', ''],
    ['another multipart', 'multipart/mixed; boundary=x'],
    ['no boundary', 'multipart/form-data'],
    ['a boundary that is too long', `multipart/form-data; boundary=${'x'.repeat(71)}`],
  ])('is refused before it is read: %s', async (_, type) => {
    const request = inPieces(Buffer.from(field('a', 'b')), type, 10)
    expect(() => readUpload(request, 'ann')).toThrow('must be a form of the type multipart/form-data')
    expect(request.bodyUsed).toBe(false)
  })

  test.each(['', '--x', 'a', field('a', 'b').slice(0, 20), `--x\r\n\r\n\r\n${field('a', 'b')}`])(
    'is refused or empty if it is cut off: %p',
    async body => {
      const read = await raw(body).catch(({ code }) => code)
      expect(['validation_error', '{}']).toContain(
        typeof read === 'string' ? read : JSON.stringify(read.lists),
      )
    },
  )
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data;boundary="a b;c"', 'a b;c'],
  ['Multipart/Form-Data; charset=utf-8; Boundary=----WebKitFormBoundaryA1', '----WebKitFormBoundaryA1'],
  ['multipart/form-data; xboundary=abc', null],
  ['text/plain; multipart/form-data; boundary=abc', null],
])('the boundary of %p is %p', (type, boundary) => expect(boundaryOf(type)).toBe(boundary))

test('forms of one person are read one after another, and only a few may wait', async () => {
  let isFirst = true
  let release = () => {}
  const slow = (person: string) => {
    const body = new ReadableStream({
      async pull(controller) {
        if (isFirst) {
          isFirst = false
          await new Promise<void>(resolve => {
            release = resolve
          })
        }
        controller.enqueue(Buffer.from(`${field('a', 'b')}--x--`))
        controller.close()
      },
    })
    const headers = { 'content-type': TYPE }
    return readUpload(new Request('http://localhost/', { method: 'POST', body, headers }), person)
  }
  const first = slow('ben')
  const others = [slow('ben'), slow('ben')]
  await expect(slow('ben')).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 })
  expect((await slow('ann')).fields).toEqual({ a: 'b' })
  release()
  for (const { fields } of await Promise.all([first, ...others])) expect(fields).toEqual({ a: 'b' })
  expect((await slow('ben')).fields).toEqual({ a: 'b' })
})

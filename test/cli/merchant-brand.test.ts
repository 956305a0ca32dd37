import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pngOf } from '../support/make-png.ts'
import { endProcesses, FLORIN, newFolder, type RunningProcess, startProcess } from '../support/process.ts'
import { florinHere } from './in-process.ts'

const dataDir = newFolder()
const florin = florinHere(dataDir)
const files = newFolder()
const images = join(import.meta.dir, '../support/images')

let server: RunningProcess
let id: string

beforeAll(async () => {
  server = await startProcess(FLORIN, ['serve'], { FLORIN_DATA_DIR: dataDir, FLORIN_SANDBOX: 'true' })
  id = (await florin.merchant('shop@shop.example')).merchantId
})
afterAll(endProcesses)

/** The path of a new file. */
function file(name: string, content: string | Uint8Array): string {
  const path = join(files, name)
  writeFileSync(path, content)
  return path
}
const set = (...options: string[]) => ['merchant', 'set', id, ...options]
const setLogo = (name: string, content: string | Uint8Array) => set('--logo', file(name, content))

describe('a logo', () => {
  test('is served without its metadata, at a path that changes with it, and may be cached forever', async () => {
    const { logo } = await florin.json(...setLogo('logo.png', pngOf(200, 60, 'taken at home')))
    expect(logo).toEqual({ path: expect.stringMatching(/^\/images\/[0-9a-f]{64}$/), width: 200, height: 60 })
    const answer = await fetch(`${server.url}${logo.path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.includes('taken at home')).toBeFalse()
    expect(bytes.equals(pngOf(200, 60))).toBeTrue()
    const other = await florin.json(...setLogo('other.png', pngOf(60, 60)))
    expect(other.logo.path).not.toBe(logo.path)
  })

  test('can be a JPEG or WebP file, and of any size from 32 to 1024 pixels', async () => {
    for (const name of ['grey.jpg', 'lossy.webp']) {
      expect((await florin.json(...set('--logo', join(images, name)))).logo.width).toBe(800)
    }
    for (const [width, height] of [
      [32, 32],
      [1024, 32],
      [33, 1024],
    ] as const) {
      expect((await florin.json(...setLogo('size.png', pngOf(width, height)))).logo).toMatchObject({
        width,
        height,
      })
    }
  })

  test('can be an SVG drawing, which is rebuilt and can do nothing when opened', async () => {
    const drawn = '<path d="M0 0h4v4z" fill="#14614a"/>'
    const source = `<svg viewBox="0 0 40 20"><title>Cup</title>${drawn}</svg>`
    const { logo } = await florin.json(...setLogo('logo.svg', source))
    expect(logo).toMatchObject({ width: 512, height: 256 })
    const answer = await fetch(`${server.url}${logo.path}`)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="512" height="256">' +
        `${drawn}</svg>`,
    )
  })

  test('stays until it is removed', async () => {
    const { logo } = await florin.json(...setLogo('logo.png', pngOf(64, 64)))
    expect((await florin.json(...set('--name', 'Corner Coffee'))).logo).toEqual(logo)
    expect((await florin.json(...set('--logo', ''))).logo).toBeNull()
  })

  test('is refused if it is not a small image', () =>
    florin.refuses([
      ['a missing file', set('--logo', join(files, 'missing.png')), /logo.*readable file \(ENOENT\)/],
      ['a folder', set('--logo', files), /logo.*readable file/],
      ['a text', setLogo('text.png', 'hello'), /logo.*PNG, JPEG, WebP or SVG/],
      [
        'an SVG with a script',
        setLogo('logo.svg', '<svg viewBox="0 0 24 24"><script>1</script></svg>'),
        /logo.*must contain no <script>/,
      ],
      ['a damaged file', setLogo('cut.png', pngOf(64, 64).subarray(0, 60)), /logo/],
      ['a file of 100 KB and one byte', setLogo('long.png', Buffer.alloc(102_401)), /logo.*102400 bytes/],
      ['an icon', setLogo('icon.png', pngOf(31, 64)), /logo.*32 and 1024 pixels/],
      ['a poster', setLogo('poster.png', pngOf(1025, 64)), /logo.*32 and 1024 pixels/],
    ]))
})

describe('the branding of a merchant', () => {
  const links = {
    supportUrl: 'https://shop.example/help',
    termsUrl: 'https://shop.example/terms?lang=en',
    privacyUrl: 'https://shop.example/privacy',
  }

  test('has a color and links, which are listed, recorded and removed', async () => {
    const options = ['--support-url', links.supportUrl, '--terms-url', links.termsUrl]
    const changed = await florin.json(
      ...set('--color', '#14614A', ...options, '--privacy-url', links.privacyUrl),
    )
    expect(changed).toMatchObject({ ...links, color: '#14614a' })
    const { items } = await florin.json('merchant', 'list')
    expect(items).toContainEqual(changed)
    const audit = await florin.json('audit', 'list', '--merchant', id)
    expect(audit.items[0]).toMatchObject({
      action: 'merchant.changed',
      before: { color: null, termsUrl: null },
      after: { ...links, color: '#14614a' },
    })
    const removed = await florin.json(
      ...set('--color', '', '--support-url', '', '--terms-url', '', '--privacy-url', ''),
    )
    expect(removed).toMatchObject({ color: null, supportUrl: null, termsUrl: null, privacyUrl: null })
  })

  test('is refused with another form of color, or a link that could not be public', () =>
    florin.refuses([
      ...['14614a', '#14614', '#14614aa', 'green', '#14614g', '#fff;}'].map(
        (color): [string, string[], RegExp] => [
          color,
          set('--color', color),
          /color.*six hexadecimal digits/,
        ],
      ),
      ['plain http', set('--terms-url', 'http://shop.example/'), /terms-url.*https/],
      ['a script', set('--privacy-url', 'javascript:alert(1)'), /privacy-url/],
      ['a private host', set('--support-url', 'https://10.0.0.1/'), /public/],
    ]))

  test('includes mails to buyers only if the merchant wants them', async () => {
    expect(await florin.json('merchant', 'show', id)).toMatchObject({ receipts: false })
    expect(await florin.json(...set('--receipts', 'on'))).toMatchObject({ receipts: true })
    const audit = await florin.json('audit', 'list', '--merchant', id)
    expect(audit.items[0]).toMatchObject({ before: { receipts: false }, after: { receipts: true } })
    const { stdout } = await florin.run(...set('--receipts', 'on'))
    expect(stdout).toMatch(/Buyers get no email yet.*set FLORIN_SMTP_URL and FLORIN_MAIL_FROM/)
    expect((await florin.run(...set('--name', 'Other'))).stdout).not.toContain('No mail')
    const doctor = await florin.run('doctor')
    expect(doctor.stdout).toMatch(/WARN {3}receipts of Other: .*no mail server.*\n.*--receipts off/)
    const withMail = { FLORIN_SMTP_URL: 'smtp://127.0.0.1:25', FLORIN_MAIL_FROM: 'shop@shop.example' }
    const quiet = florinHere(dataDir, withMail)
    expect((await quiet.run(...set('--receipts', 'on'))).stdout).not.toContain('No mail')
    expect((await quiet.run('doctor')).stdout).not.toContain('receipts of')
    expect(await florin.json(...set('--receipts', 'off'))).toMatchObject({ receipts: false })
    await florin.refuses([['another word', set('--receipts', 'yes'), /receipts: must be on or off/]])
  })

  test('includes mails about payments if it includes receipts, unless the merchant says otherwise', async () => {
    const mailsAfter = async (word: string) =>
      (await florin.json(...set('--payment-mails', word))).paymentMails
    expect((await florin.json('merchant', 'show', id)).paymentMails).toBeNull()
    expect([await mailsAfter('on'), await mailsAfter('off'), await mailsAfter('')]).toEqual([
      true,
      false,
      null,
    ])
    const { stdout } = await florin.run(...set('--payment-mails', 'on'))
    expect(stdout).toContain('Buyers get no email yet')
    expect((await florin.run('doctor')).stdout).toMatch(/receipts of Other: .*\n.*--payment-mails off/)
    expect(await mailsAfter('')).toBeNull()
    const wrong = /payment-mails: must be on or off/
    await florin.refuses([['another word', set('--payment-mails', 'yes'), wrong]])
  })

  test('is shown with the merchant', async () => {
    await florin.json(...set('--color', '#336699'))
    expect(await florin.json('merchant', 'show', id)).toMatchObject({ merchantId: id, color: '#336699' })
    await florin.refuses([['nobody', ['merchant', 'show', 'nobody'], /[Nn]o merchant/]])
  })
})

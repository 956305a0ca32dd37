import type { Browser, Locator, Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'

/** A blank page of each browser, used to read pictures. */
const readers = new WeakMap<Browser, Page>()

async function readerOf(browser: Browser): Promise<Page> {
  const known = readers.get(browser)
  if (known && !known.isClosed()) return known
  const page = await browser.newPage()
  readers.set(browser, page)
  return page
}

/** Reads a QR code from the pixels on the screen, like a camera. */
export async function readQr(browser: Browser, picture: Locator): Promise<string> {
  const png = (await picture.screenshot()).toString('base64')
  const page = await readerOf(browser)
  const { width, height, pixels } = await page.evaluate(async text => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    context!.drawImage(bitmap, 0, 0)
    const { data } = context!.getImageData(0, 0, bitmap.width, bitmap.height)
    // The picture travels as one string: a list of a million numbers takes seconds.
    const url = await new Promise<string>(resolve => {
      const reader = new FileReader()
      reader.onload = () => resolve(reader.result as string)
      reader.readAsDataURL(new Blob([data]))
    })
    return { width: bitmap.width, height: bitmap.height, pixels: url.slice(url.indexOf(',') + 1) }
  }, png)
  return decodeQR({ width, height, data: Buffer.from(pixels, 'base64') })
}

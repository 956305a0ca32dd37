import { describe, expect, test } from 'bun:test'
import { registry } from '../../../src/coins/registry.ts'
import type { PaymentMeans } from '../../../src/domain/catalogue.ts'
import { leadOf } from '../../../views/checkout/choose.ts'
import { type GlyphName, glyphNames, glyphs } from '../../../views/icons/glyphs.ts'
import { chipStyles, markClass, markIcon, markStyles } from '../../../views/icons/icons.ts'

/** The icon of each payment method. A missing method is a type error. */
const icons: Record<PaymentMeans, GlyphName> = {
  card: 'card',
  applepay: 'applepay',
  googlepay: 'googlepay',
  bank: 'bank',
  paypal: 'paypal',
  revolut: 'revolut',
  upi: 'upi',
  pix: 'pix',
  interac: 'interac',
  // This is a transfer from the buyer's bank.
  ideal: 'bank',
  klarna: 'klarna',
  cashapp: 'cashapp',
  account: 'account',
}

describe('icons', () => {
  test('exist for every payment method', () => {
    for (const [means, icon] of Object.entries(icons)) expect([means, leadOf([means])]).toEqual([means, icon])
  })

  test('fall back to that of a bank for an unknown payment method', () => {
    expect(leadOf(['shells'])).toBe('bank')
    expect(leadOf(['toString'])).toBe('bank')
  })

  test('are each used for a payment method, or beside a card, and then have a name', () => {
    const leads = new Set<string>(Object.values(icons))
    const others = Object.keys(glyphs).filter(name => !leads.has(name))
    expect(others.sort()).toEqual(['mastercard', 'visa'])
    expect(Object.keys(glyphNames)).toEqual(expect.arrayContaining(others))
  })

  test('are small, draw shapes only, and load nothing', () => {
    for (const [name, drawing] of Object.entries(glyphs)) {
      expect([name, drawing.length < 1500]).toEqual([name, true])
      expect(drawing).toMatch(/^(?:<(?:path|circle|rect)(?: [a-z-]+="[^"<>]*")+\/>)+$/)
      expect(drawing).not.toMatch(/href|url\(|on[a-z]+=/)
    }
  })

  test('show the first letter of a coin without a sign, escaped', () => {
    expect(String(markIcon(null, 'link'))).toContain('>L<')
    expect(String(markIcon(null, '<b>'))).toContain('>&lt;<')
    expect(String(markIcon(null, '😀'))).toContain('>😀<')
  })

  test('are marks in the stylesheet with a white shape on a disc, each with a class of its own', () => {
    const marks = ['M8 8h16v16H8z', 'M9 9h1z'].map(path => ({ color: '#123456', path }))
    const rules = [
      ...markStyles(marks).matchAll(/[.](\S+) \{\n {2}background-image: url\("([^"]+)"\);\n\}\n/g),
    ]
    expect(rules.map(([, name]) => name)).toEqual(marks.map(markClass))
    expect(rules.map(([, , url = '']) => decodeURIComponent(url.slice(url.indexOf(',') + 1)))).toEqual(
      marks.map(
        ({ color, path }) =>
          `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><circle cx='16' cy='16' r='16'` +
          ` fill='${color}'/><path fill='#fff' d='${path}'/></svg>`,
      ),
    )
  })

  test('have classes that no two coins or networks share', () => {
    const { chains, coins } = registry
    const marks = new Set([...chains, ...coins].flatMap(({ icon }) => icon ?? []))
    expect(new Set([...marks].map(markClass)).size).toBe(marks.size)
  })

  test('are all drawn by the stylesheet, without anything that a browser has to load', () => {
    const images = [
      ...chipStyles.matchAll(/[.]i-([a-z]+) \{\n {2}background-image: url\("([^"]+)"\);\n\}\n/g),
    ]
    expect(images.map(([rule]) => rule).join('')).toBe(chipStyles)
    expect(images.map(([, name]) => name)).toEqual(Object.keys(glyphs))
    for (const [, name, url = ''] of images) {
      const [type, text = ''] = url.split(',', 1).concat(url.slice(url.indexOf(',') + 1))
      expect([name, type]).toEqual([name, 'data:image/svg+xml'])
      const drawing = glyphs[name as GlyphName].replaceAll('"', "'")
      expect(decodeURIComponent(text)).toBe(
        `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 36 24'>${drawing}</svg>`,
      )
    }
  })
})

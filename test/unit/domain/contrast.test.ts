import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Color, inkOn, readableOn } from '../../../src/domain/contrast.ts'

const TEXT_CONTRAST = 4.5

/** The formula of WCAG 2.2, written independently. */
function contrast(one: Color, other: Color): number {
  const [a = 0, b = 0] = [one, other].map(color => {
    const [red, green, blue] = [1, 3, 5]
      .map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map(part => (part > 0.04045 ? Math.exp(2.4 * Math.log((part + 0.055) / 1.055)) : part / 12.92))
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
  })
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((rgb): Color => `#${rgb.toString(16).padStart(6, '0')}`)
/** The borders of every rule: the lightest and darkest colors, the pure colors, and each gray. */
const edges: Color[] = [
  ...Array.from({ length: 256 }, (_, gray): Color => `#${gray.toString(16).padStart(2, '0').repeat(3)}`),
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#00ffff',
  '#ff00ff',
]

test('contrast equals that of the examples of WCAG and of common checkers', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6)
  expect(contrast('#ffffff', '#ffffff')).toBe(1)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.542, 3)
  expect(contrast('#ff0000', '#ffffff')).toBeCloseTo(3.998, 3)
  expect(contrast('#0000ff', '#ffff00')).toBeCloseTo(8.002, 3)
})

describe('text', () => {
  const light: Color[] = ['#ffffff', '#f4f2ec', '#e6f2ec']
  const dark: Color[] = ['#141411', '#1e1e1a', '#1a2b24']

  const isReadable = (color: Color): void => {
    expect([color, contrast(inkOn(color), color) >= TEXT_CONTRAST]).toEqual([color, true])
    for (const papers of [light, dark]) {
      const text = readableOn(color, papers)
      expect(text).toMatch(/^#[0-9a-f]{6}$/)
      for (const paper of papers) {
        const found = contrast(text, paper)
        expect([color, paper, found >= TEXT_CONTRAST]).toEqual([color, paper, true])
      }
    }
  }

  test('on any color, and of any color on paper, has at least the contrast that WCAG requires', () => {
    edges.forEach(isReadable)
    fc.assert(fc.property(colors, isReadable), { numRuns: 20_000 })
  })

  test('with a readable color is left as it is', () => {
    expect(readableOn('#14614a', light)).toBe('#14614a')
    expect(readableOn('#7fd1b0', dark)).toBe('#7fd1b0')
  })

  test('keeps its hue: yellow on light paper becomes a dark yellow, navy on dark paper a light blue', () => {
    const channels = (color: Color) =>
      color
        .slice(1)
        .match(/../g)!
        .map(hex => Number.parseInt(hex, 16))
    const [red, green, blue] = channels(readableOn('#ffd400', light)) as [number, number, number]
    expect(red).toBeGreaterThan(green)
    expect(green).toBeGreaterThan(blue)
    expect(red).toBeLessThan(0xff)
    const [r, g, b] = channels(readableOn('#000080', dark)) as [number, number, number]
    expect(b).toBeGreaterThan(r)
    expect(r).toBe(g)
    expect(r).toBeGreaterThan(0)
  })
})

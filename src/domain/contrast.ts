/** An sRGB color, such as "#14614a". */
export type Color = `#${string}`

/** Minimum contrast of text (WCAG 1.4.3). */
const TEXT_CONTRAST = 4.5

const linear = Array.from({ length: 256 }, (_, value) => {
  const part = value / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
})

const channelsOf = (color: Color): [red: number, green: number, blue: number] => {
  const rgb = Number.parseInt(color.slice(1), 16)
  return [rgb >> 16, (rgb >> 8) & 255, rgb & 255]
}

function luminance(color: Color): number {
  const [red, green, blue] = channelsOf(color)
  return 0.2126 * linear[red]! + 0.7152 * linear[green]! + 0.0722 * linear[blue]!
}

/** Contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
function contrast(one: Color, other: Color): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const WHITE: Color = '#ffffff'
const BLACK: Color = '#000000'
const STEPS = 64

const mixed = (color: Color, other: Color, share: number): Color => {
  const others = channelsOf(other)
  const hex = channelsOf(color).map((value, at) =>
    Math.round(value + (others[at]! - value) * share)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** The color of text on a background: white if that is readable, otherwise black. */
export const inkOn = (color: Color): Color => (contrast(color, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK)

/**
 * The nearest color that is readable as text on each of the backgrounds, which are all light or all dark. It
 * is darkened or lightened as far as needed.
 */
export function readableOn(color: Color, papers: readonly Color[]): Color {
  const isLight = papers.every(paper => inkOn(paper) === BLACK)
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixed(color, isLight ? BLACK : WHITE, step / STEPS)
    if (papers.every(paper => contrast(candidate, paper) >= TEXT_CONTRAST)) return candidate
  }
  return isLight ? BLACK : WHITE
}

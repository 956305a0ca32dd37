import { type Html, html } from '../html.ts'
import { axisOf } from './axis.ts'

/** One period of a chart. */
interface Bar {
  /** the period and its amounts in words, shown while the pointer is on the bar */
  label: string
  /** amounts above and below zero; never negative */
  up: number
  down: number
}

export interface ChartModel {
  /** ID that is unique among the charts of a page */
  id: string
  title: string
  /** a sentence that describes the chart; a table beside it has all figures */
  description: string
  bars: readonly Bar[]
  /** labels below the bars, from the first period to the last */
  periods: readonly string[]
  /** names of the bars above and below zero */
  legend: { up: string; down: string }
  /** formats a value for the axis */
  format(value: number): string
}

const BAR = 10
const GAP = 1
const HEIGHT = 100

/** Rounds a coordinate, because a page contains hundreds. */
const short = (value: number): string => `${Math.round(value * 100) / 100}`

function bar({ label, up, down }: Bar, index: number, heightOf: (value: number) => number): Html | null {
  if (up === 0 && down === 0) return null
  const x = index * BAR + GAP
  const width = BAR - 2 * GAP
  const rect = (kind: string, y: number, height: number) =>
    height > 0 &&
    html`<rect class="${kind}" x="${x}" y="${short(y)}" width="${width}" height="${short(height)}"/>`
  const zero = heightOf(0)
  return html`<g><title>${label}</title>${rect('up', heightOf(up), zero - heightOf(up))}${rect(
    'down',
    zero,
    heightOf(-down) - zero,
  )}</g>
`
}

/**
 * A bar chart, drawn on the server. The picture stretches to the width of the page. Its texts are outside of
 * the picture, so that letters keep their size. The stylesheet sets its colors, also for dark pages and
 * print.
 */
export function chart({ id, title, description, bars, periods, legend, format }: ChartModel): Html {
  const axis = axisOf(bars)
  const [top = 0, bottom = 0] = [axis[0], axis.at(-1)]
  const heightOf = (value: number): number => ((top - value) / (top - bottom)) * HEIGHT
  const width = Math.max(bars.length, 1) * BAR
  const hasDown = bars.some(({ down }) => down > 0)
  return html`<figure class="chart">
<figcaption>${title}<ul class="legend" aria-hidden="true">
<li class="up">${legend.up}</li>${hasDown && html`<li class="down">${legend.down}</li>`}</ul></figcaption>
<div class="plot">
<ol class="axis" aria-hidden="true">${axis.map(value => html`<li>${format(value)}</li>`)}</ol>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img"
 aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
${axis.map(value => {
  const y = short(heightOf(value))
  return html`<line class="${value === 0 ? 'zero' : 'line'}" x1="0" x2="${width}" y1="${y}" y2="${y}"/>`
})}
${bars.map((one, index) => bar(one, index, heightOf))}</svg>
<ol class="periods" aria-hidden="true">${periods.map(period => html`<li>${period}</li>`)}</ol>
</div>
</figure>`
}

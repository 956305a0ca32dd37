import { type Html, html } from '../html.ts'

export interface FigureRow {
  name: string
  /** URL to which the name links */
  url?: string
  /** one figure for each further column */
  figures: readonly string[]
}

interface FigureTable {
  id: string
  caption: string
  /** titles of the columns */
  heads: readonly string[]
  rows: readonly FigureRow[]
  /** row with the sums */
  total?: FigureRow
}

const nameOf = ({ name, url }: FigureRow): Html => (url ? html`<a href="${url}">${name}</a>` : html`${name}`)

/**
 * A table of figures. Where a page has no room for its columns, each row becomes a block that names its
 * figures. What is still too wide scrolls by itself, also with the keyboard.
 */
export function figureTable({ id, caption, heads, rows, total }: FigureTable): Html {
  const row = (one: FigureRow): Html =>
    html`<tr><th scope="row" class="row-name" dir="auto">${nameOf(one)}</th>${one.figures.map(
      (figure, index) => html`<td class="number" data-name="${heads[index + 1]}">${figure}</td>`,
    )}</tr>
`
  return html`<div class="scroll part" role="region" aria-labelledby="${id}" tabindex="0">
<table class="figures-table"><caption id="${id}">${caption}</caption>
<thead><tr>${heads.map(
    (head, index) => html`<th scope="col"${index > 0 && html` class="number"`}>${head}</th>`,
  )}</tr></thead>
<tbody>${rows.map(row)}</tbody>
${total && html`<tfoot class="sum">${row(total)}</tfoot>`}</table></div>`
}

const svg = (attributes: string, path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${attributes}><path d="${path}"/></svg>`

/** A glyph of filled shapes, on a grid of 24 by 24. */
export const filled = (path: string): string => svg('fill="currentColor"', path)

/** A glyph of lines, on the same grid. */
export const outlined = (path: string): string =>
  svg('fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"', path)

import { describe, expect, test } from 'bun:test'
import { html, raw } from '../../../views/html.ts'

const print = (value: Parameters<typeof html>[1]): string => html`${value}`.toString()

describe('values in a page', () => {
  test.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['</script>', '&lt;/script&gt;'],
    [`" onload="x`, '&quot; onload=&quot;x'],
    [`' onload='x`, '&#39; onload=&#39;x'],
    ['&amp;', '&amp;amp;'],
  ])('%s is escaped', (text, printed) => {
    expect(print(text)).toBe(printed)
  })

  test('a value cannot break out of an attribute', () => {
    const name = `"><img src=x onerror='a()'>`
    expect(html`<a title="${name}">x</a>`.toString()).toBe(
      '<a title="&quot;&gt;&lt;img src=x onerror=&#39;a()&#39;&gt;">x</a>',
    )
  })

  test('text that looks like markup is escaped, also when it comes from an object', () => {
    const forged = { toString: () => '<b>' } as unknown as string
    expect(print(forged)).toBe('&lt;b&gt;')
  })

  test('each item of an array is escaped, with nothing between them', () => {
    expect(print(['<', [html`<i>${'&'}</i>`, null], '>'])).toBe('&lt;<i>&amp;</i>&gt;')
  })

  test('nothing is printed for null, undefined and false', () => {
    expect(html`[${null}${undefined}${false}${[]}]`.toString()).toBe('[]')
  })

  test('numbers are printed, also zero', () => {
    expect(html`${0} ${1.5} ${10n}`.toString()).toBe('0 1.5 10')
  })

  test('a piece inside a piece is not escaped twice', () => {
    const inner = html`<b>${'a & b'}</b>`
    expect(html`<p>${html`${inner}`}</p>`.toString()).toBe('<p><b>a &amp; b</b></p>')
  })

  test('a list of pieces stays a list of pieces', () => {
    expect(html`<ul>${['a', 'b'].map(text => html`<li>${text}</li>`)}</ul>`.toString()).toBe(
      '<ul><li>a</li><li>b</li></ul>',
    )
  })

  test('backslashes and dollar signs are printed unchanged', () => {
    expect(html`<p>\\ ${'$1 \\n'}</p>`.toString()).toBe('<p>\\ $1 \\n</p>')
  })

  test('trusted text is printed unchanged', () => {
    expect(print(raw('<br>'))).toBe('<br>')
  })
})

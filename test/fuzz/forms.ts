/** A form of a page, with the values that a browser would send. */
export interface HtmlForm {
  method: 'GET' | 'POST'
  /** path and query to which the form is sent */
  action: string
  isUpload: boolean
  fields: Record<string, string>
}

const decode = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

const isPressed = (element: HTMLRewriterTypes.Element): boolean =>
  !['checkbox', 'radio'].includes(element.getAttribute('type') ?? '') || element.hasAttribute('checked')

/** The forms of a page. Each select has its first option, and each text area is empty. */
export function formsIn(html: string, page: string): HtmlForm[] {
  const forms: HtmlForm[] = []
  let current: HtmlForm | null = null
  let select: string | null = null
  const put = (element: HTMLRewriterTypes.Element, otherwise = '') => {
    const name = element.getAttribute('name')
    if (current && name && isPressed(element))
      current.fields[decode(name)] = decode(element.getAttribute('value') ?? otherwise)
  }
  new HTMLRewriter()
    .on('form', {
      element(form) {
        const method = (form.getAttribute('method') ?? 'get').toUpperCase() === 'POST' ? 'POST' : 'GET'
        const isUpload = form.getAttribute('enctype') === 'multipart/form-data'
        current = { method, action: decode(form.getAttribute('action') ?? page), isUpload, fields: {} }
        forms.push(current)
        form.onEndTag(() => {
          current = null
        })
      },
    })
    .on('input, button, textarea', { element: put })
    .on('select', {
      element(element) {
        select = element.getAttribute('name')
      },
    })
    .on('option', {
      element(option) {
        if (current && select && !(select in current.fields))
          current.fields[select] = decode(option.getAttribute('value') ?? '')
      },
    })
    .transform(html)
  return forms
}

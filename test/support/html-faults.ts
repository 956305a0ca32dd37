const left = /undefined|\[object|\bNaN\b|Invalid Date|=&gt;|=> |\$\{|function \(/

/** True if a server has a route for a request. */
export type IsRoute = (method: string, path: string) => boolean

interface FormState {
  method: string
  action: string
  id: string | null
  buttons: number
}

const isUsable = (element: HTMLRewriterTypes.Element): boolean =>
  !element.hasAttribute('hidden') &&
  !element.hasAttribute('disabled') &&
  (element.tagName === 'button'
    ? (element.getAttribute('type') ?? 'submit') === 'submit'
    : ['submit', 'image'].includes(element.getAttribute('type') ?? ''))

/** Faults of a page's forms and links for a browser without JavaScript. */
function targetFaults(html: string, page: string, isRoute: IsRoute): string[] {
  const forms: FormState[] = []
  const outside: string[] = []
  const links: string[] = []
  let current: FormState | null = null
  const rewriter = new HTMLRewriter()
    .on('form', {
      element(form) {
        const action = form.getAttribute('action') ?? page
        const method = (form.getAttribute('method') ?? 'get').toUpperCase()
        current = { action, method, id: form.getAttribute('id'), buttons: 0 }
        forms.push(current)
        form.onEndTag(() => {
          current = null
        })
      },
    })
    .on('button, input', {
      element(element) {
        if (!isUsable(element)) return
        const other = element.getAttribute('form')
        if (other !== null) outside.push(other)
        else if (current) current.buttons++
      },
    })
    .on('a[href^="/dashboard"]', {
      element(link) {
        links.push(link.getAttribute('href')!)
      },
    })
  rewriter.transform(html)
  const dead = links.filter(link => !isRoute('GET', pathOf(link)))
  const lost = forms.filter(({ action, method }) => !isRoute(method, pathOf(action)))
  const silent = forms.filter(({ id, buttons }) => buttons === 0 && (id === null || !outside.includes(id)))
  return [
    ...dead.map(link => `link to nothing: ${link}`),
    ...lost.map(({ action, method }) => `form to nothing: ${method} ${action}`),
    ...silent.map(({ action }) => `form without a button: ${action}`),
  ]
}

const pathOf = (link: string): string => new URL(link, 'http://localhost').pathname

/** Faults of a page's HTML in a language. */
export function htmlFaults(html: string, page: string, language: string, isRoute: IsRoute): string[] {
  const faults: string[] = []
  const shown = html.replace(/<(pre|code|script)\b.*?<\/\1>/gs, '')
  const at = shown.search(left)
  if (at >= 0) faults.push(`leftover: ${shown.slice(Math.max(0, at - 60), at + 30)}`)
  if (!html.startsWith('<!doctype html>')) return faults
  if (!html.includes(`<html lang="${language}"`)) faults.push('other language')
  if (!/<title>[^<–]*[^<–\s][^<–]* – [^<]+<\/title>/.test(html)) faults.push('no title')
  const headings = html.match(/<h1\b[^>]*>\s*(?:<[^>]+>\s*)*[^<\s]/g) ?? []
  if (headings.length !== 1) faults.push(`${headings.length} main headings`)
  return [...faults, ...targetFaults(html, page, isRoute)]
}

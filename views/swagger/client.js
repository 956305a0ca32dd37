// Shows this server's OpenAPI document. Uses no external validator and does not store the API key.

/**
 * Replaces links inside of buttons, which not all assistive technology can reach. The button itself sets the
 * address.
 */
const withoutLinks = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
})

const names = {
  '#servers': 'Server',
  '.examples-select-element': 'Example',
  '.content-type': 'Content type',
  '.copy-to-clipboard button': 'Copy',
}

/** Names controls that have no label, and gives the headings of models a level that fits the others. */
function nameControls() {
  for (const [selector, name] of Object.entries(names)) {
    for (const control of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      control.setAttribute('aria-label', name)
    }
  }
  for (const heading of document.querySelectorAll('.models h4:not([aria-level])')) {
    heading.setAttribute('role', 'heading')
    heading.setAttribute('aria-level', '3')
  }
}

new MutationObserver(nameControls).observe(document.documentElement, { childList: true, subtree: true })

window.ui = window.SwaggerUIBundle({
  url: '/swagger/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  plugins: [withoutLinks],
})

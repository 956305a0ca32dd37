// Everything works without this file, except that text is then copied by hand.
const live = () => document.getElementById('live')

const showCopyButtons = root => {
  if (!navigator.clipboard) return
  for (const button of root.querySelectorAll('[data-copy][hidden]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest?.('[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  live().textContent = live().dataset.copied
  const label = button.textContent
  button.textContent = live().dataset.copied
  setTimeout(() => {
    button.textContent = label
    live().textContent = ''
  }, 2000)
})

// A form that must not be sent by accident asks first.
document.addEventListener('submit', event => {
  const question = event.submitter?.dataset.ask ?? event.target.dataset.ask
  if (question && !confirm(question)) event.preventDefault()
})

// A second click does not send a form again. The next page, or the way back, makes it usable again.
document.addEventListener('submit', event => {
  if (event.defaultPrevented || event.target.method !== 'post') return
  if (event.target.dataset.sent) event.preventDefault()
  event.target.dataset.sent = 'yes'
})
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})

showCopyButtons(document)
document.addEventListener('htmx:after:swap', () => showCopyButtons(document))

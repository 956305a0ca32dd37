// Copy buttons, the countdown and announcements for screen readers. Pages also work without this file.
{
  const SECOND_MS = 1000
  let skewMs = Number.NEGATIVE_INFINITY
  let announced = null
  let focused = null

  const left = ms => {
    const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
    const minutes = Math.floor(seconds / 60)
    return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
  }

  const tick = () => {
    for (const time of document.querySelectorAll('[data-countdown]')) {
      time.previousElementSibling?.removeAttribute('hidden')
      time.textContent = left(Date.parse(time.dateTime) - Date.now() - skewMs)
    }
  }

  // The page's language, for English with the order of day and month that the browser prefers.
  const { lang } = document.documentElement
  const dateTag = (lang === 'en' && navigator.languages.find(tag => tag.startsWith('en'))) || lang
  const numberingSystem = 'latn'

  const localTimes = () => {
    for (const time of document.querySelectorAll('time:not([data-countdown])')) {
      const at = new Date(time.dateTime)
      time.textContent =
        'clock' in time.dataset
          ? at.toLocaleTimeString(dateTag, { numberingSystem })
          : at.toLocaleString(dateTag, { dateStyle: 'medium', timeStyle: 'short', numberingSystem })
    }
  }

  const say = message => {
    const live = document.getElementById('live')
    if (live) live.textContent = message
  }

  const announce = () => {
    const messages = [...document.querySelectorAll('#checkout [data-announce]')].map(
      element => element.dataset.announce,
    )
    const added = messages.filter(message => !announced?.includes(message))
    if (announced !== null && added.length > 0) say(added.join(' '))
    announced = messages
  }

  // The page has the server's time of its first byte. On a slow line that was long before this script runs.
  const pageArrivedAt = () =>
    performance.timeOrigin +
    (performance.getEntriesByType('navigation')[0]?.responseStart ?? performance.now())

  const refresh = arrivedAt => {
    const checkout = document.getElementById('checkout')
    // Responses take time to arrive, so the largest difference is the most accurate.
    if (checkout) skewMs = Math.max(skewMs, Date.parse(checkout.dataset.now) - arrivedAt)
    if (checkout) document.title = checkout.dataset.title
    for (const hidden of document.querySelectorAll('.copy[hidden], .filter[hidden]')) hidden.hidden = false
    if (filterField()?.value) filterRows(filterField())
    localTimes()
    tick()
    announce()
  }

  const setLost = isLost => {
    const line = document.getElementById('lost')
    if (line) line.hidden = !isLost
  }

  // A removed element loses the focus to the body, where a screen reader starts over.
  const restoreFocus = () => {
    if (focused && !focused.isConnected) {
      const heading = document.querySelector('#checkout h2')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
    focused = null
  }

  // Browsers give no access to the clipboard on plain http, or if the reader denies it.
  const copySelected = element => {
    getSelection().selectAllChildren(element)
    return document.execCommand('copy')
  }

  const copy = async button => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      return true
    } catch {
      return copySelected(button.parentElement.querySelector('.code'))
    }
  }

  document.addEventListener('click', async event => {
    const button = event.target.closest?.('.copy')
    if (!button) return
    const isCopied = await copy(button)
    const texts = document.getElementById('live').dataset
    say(isCopied ? texts.copied : texts.copySelection)
    button.firstChild.data = isCopied ? texts.copied : texts.selected
    button.classList.add('done')
    setTimeout(() => {
      button.classList.remove('done')
      button.firstChild.data = texts.copy
    }, 2 * SECOND_MS)
  })
  document.addEventListener('htmx:before:swap', () => {
    focused = document.activeElement?.closest('#checkout') ? document.activeElement : null
  })
  document.addEventListener('htmx:after:swap', () => {
    refresh(Date.now())
    restoreFocus()
  })
  document.addEventListener('htmx:error', () => setLost(true))
  document.addEventListener('htmx:after:request', event => {
    setLost(event.detail.ctx.response.status >= 500)
  })
  // A long choice can be filtered: rows without the words are hidden, and folded lists open.
  const matches = (row, words) => words.every(word => row.textContent.toLowerCase().includes(word))

  const filterRows = field => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const row of document.querySelectorAll('.methods > li')) {
      const coin = row.closest('.networks')?.closest('li')
      const name = coin?.querySelector('summary')
      row.hidden = !matches(row, words) && !(name && matches(name, words))
    }
    for (const list of document.querySelectorAll('#checkout section, #checkout .more')) {
      list.hidden = !list.querySelector('li:not([hidden])')
    }
    for (const fold of document.querySelectorAll('.more, .methods details')) {
      if (words.length > 0 && !fold.closest('[hidden]')) fold.open = true
      else if (field.dataset.used) fold.open = false
    }
    field.dataset.used = words.length > 0 ? 'yes' : ''
    const none = document.querySelector('.none')
    if (none) none.hidden = document.querySelector('#checkout section:not([hidden])') !== null
  }

  const filterField = () => document.getElementById('filter')

  document.addEventListener('input', event => {
    if (event.target === filterField()) filterRows(event.target)
  })
  document.addEventListener('DOMContentLoaded', () => refresh(pageArrivedAt()))
  setInterval(tick, SECOND_MS)
}

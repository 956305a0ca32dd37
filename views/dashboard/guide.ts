import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { hidden } from './parts.ts'

type Texts = DashboardLocale['texts']['setup']
type GuideStep = keyof Texts['short']

/** The position of a page in the setup. */
export interface Guide {
  steps: readonly { step: GuideStep; state: keyof Texts['states']; url: string | null }[]
  current: GuideStep
  backUrl: string | null
  /** page after this step */
  nextUrl: string
  /** true if no step follows */
  isLast: boolean
  /** text of the button that skips the step; the usual one if missing */
  skipLabel?: string | undefined
}

/** All steps, with their states. The current one is marked. */
function steps({ texts: { setup } }: DashboardLocale, { steps: all, current }: Guide): Html {
  const items = all.map(({ step, state, url }) => {
    const name = html`<span class="step-name">${setup.short[step]}</span>
<span class="unseen">(${setup.states[state]})</span>`
    const link =
      url !== null && step !== current ? html`<a href="${url}">${name}</a>` : html`<span>${name}</span>`
    return html`<li class="${state}"${step === current && html` aria-current="step"`}>${link}</li>
`
  })
  return html`<ol class="steps">${items}</ol>`
}

/** The head of a page of the setup, with its number and all steps. */
export function guideHead(locale: DashboardLocale, guide: Guide, title: string): Html {
  const { setup } = locale.texts
  const number = guide.steps.findIndex(({ step }) => step === guide.current) + 1
  return html`<nav class="guide" aria-label="${setup.name}">
<p class="soft">${setup.stepOf({ number, all: guide.steps.length })}</p>
${steps(locale, guide)}</nav>
<h1>${title}</h1>`
}

/** The buttons to the previous and the next page, or to skip the step. */
function guideFoot(locale: DashboardLocale, guide: Guide): Html {
  const { setup } = locale.texts
  const { backUrl, nextUrl, isLast, current, skipLabel } = guide
  const isDone = guide.steps.some(({ step, state }) => step === current && state === 'done')
  const on = isDone
    ? html`<a class="button" href="${nextUrl}">${isLast ? setup.finish : setup.next}</a>`
    : html`<form method="post" action="/dashboard/setup/skip">
${hidden(locale, { step: current, next: nextUrl })}
<button class="quiet">${skipLabel ?? setup.skip}</button></form>`
  return html`<div class="between guide-foot">
${backUrl ? html`<a class="button quiet" href="${backUrl}">${setup.back}</a>` : html`<span></span>`}
${on}</div>
<p class="hint">${setup.later}</p>`
}

/** A page of the setup. */
export const guidePage = (locale: DashboardLocale, guide: Guide, title: string, body: Html): Html =>
  html`${guideHead(locale, guide, title)}
${body}
${guideFoot(locale, guide)}`

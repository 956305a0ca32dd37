import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Mit ${method} bezahlen`,
  waiting: method => `Warten auf ${method}`,
  otherTab:
    'Schließen Sie Ihre Zahlung im anderen Tab ab. Diese Seite wird einige Minuten nach Ihrer ' +
    'Zahlung automatisch aktualisiert. Sobald Sie bezahlt haben, können Sie diese Seite schließen. ' +
    'Ihre Bestellung wird trotzdem als bezahlt markiert.',
  openAgain: method => `${method} erneut öffnen`,
  unconfirmed: method => `${method} hat die Zahlung noch nicht bestätigt.`,
}

import type { Texts } from '../types.ts'

export const provider: Texts['provider'] = {
  payWith: method => `Zapłać przez ${method}`,
  waiting: method => `Oczekiwanie na ${method}`,
  otherTab:
    'Dokończ płatność w drugiej karcie. Ta strona zaktualizuje się automatycznie kilka minut po ' +
    'płatności. Gdy już zapłacisz, możesz ją zamknąć; zamówienie i tak zostanie oznaczone jako opłacone.',
  openAgain: method => `Otwórz ponownie ${method}`,
  unconfirmed: method => `${method}: płatność nie została jeszcze potwierdzona.`,
}

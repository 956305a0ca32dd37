import type { Texts } from '../types.ts'

export const settings: Texts['settings'] = {
  title: 'Einstellungen',
  saved: 'Gespeichert. Käufer sehen es ab jetzt.',
  labels: {
    name: 'Name des Shops',
    supportEmail: 'E-Mail-Adresse für Käufer',
    returnUrl: 'Adresse Ihres Shops',
  },
  hints: {
    name: 'Käufer sehen ihn auf jeder Seite und Quittung.',
    supportEmail: 'Wen Käufer fragen können. Leer lassen, um keine anzuzeigen.',
    returnUrl:
      'Wohin Käufer nach dem Bezahlen zurückkehren, wenn die Bestellung keine andere ' +
      'Adresse nennt. Beginnt mit https://.',
  },
  wrong: {
    name: 'Geben Sie einen Namen mit höchstens 100 Zeichen ein.',
    supportEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, oder lassen Sie das Feld leer.',
    returnUrl: 'Geben Sie eine öffentliche Adresse ein, die mit https:// beginnt, oder lassen Sie es leer.',
  },
}

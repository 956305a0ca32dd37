import type { Texts } from '../types.ts'

export const settings: Texts['settings'] = {
  title: 'Einstellungen',
  saved: 'Gespeichert. Käufer sehen es ab jetzt.',
  labels: {
    name: 'Name des Shops',
    supportEmail: 'E-Mail-Adresse für Käufer',
    returnUrl: 'Adresse Ihres Shops',
    timeZone: 'Zeitzone',
  },
  hints: {
    name: 'Käufer sehen ihn auf jeder Seite und Quittung.',
    supportEmail: 'Wen Käufer fragen können. Leer lassen, um keine anzuzeigen.',
    returnUrl:
      'Wohin Käufer nach dem Bezahlen zurückkehren, wenn die Bestellung keine andere ' +
      'Adresse nennt. Beginnt mit https://.',
    timeZone: 'Für die Tage in Berichten und die Uhrzeiten auf diesen Seiten, etwa Europe/Berlin oder UTC.',
  },
  wrong: {
    name: 'Geben Sie einen Namen mit höchstens 100 Zeichen ein.',
    supportEmail: 'Geben Sie eine gültige E-Mail-Adresse ein, oder lassen Sie das Feld leer.',
    returnUrl: 'Geben Sie eine öffentliche Adresse ein, die mit https:// beginnt, oder lassen Sie es leer.',
    timeZone: 'Geben Sie den Namen einer Zeitzone ein, etwa Europe/Berlin, America/New_York oder UTC.',
  },
}

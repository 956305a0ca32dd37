import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Seite nicht gefunden',
    notPossible: 'Das ist nicht möglich',
    notAvailable: 'Nicht verfügbar',
    tooMany: 'Zu viele Anfragen',
    providerAway: 'Der Zahlungsanbieter antwortet nicht',
    other: 'Etwas ist schiefgelaufen',
  },
  titled: title => `Fehler: ${title}`,
  notSold: shop => `${shop} verkauft das nicht mehr.`,
  shopClosed:
    'Dieser Shop nimmt derzeit keine Zahlungen an. Wenn Sie bereits bezahlt haben, wenden Sie sich mit ' +
    'Ihrer Bestellnummer an den Shop.',
  checkLink: 'Prüfen Sie den Link oder bitten Sie den Shop um einen neuen.',
  backToPayment: 'Zurück zur Zahlung',
  requestId: 'Anfragenummer',
  waitMinute: 'Bitte warten Sie eine Minute und versuchen Sie es dann erneut.',
  wait: seconds =>
    plural('de', seconds, {
      one: `Zu viele Anfragen. Bitte versuchen Sie es in ${seconds} Sekunde erneut.`,
      other: `Zu viele Anfragen. Bitte versuchen Sie es in ${seconds} Sekunden erneut.`,
    }),
  shopCannot:
    'Der Shop kann diese Bestellung derzeit nicht annehmen. Versuchen Sie es später erneut oder ' +
    'kontaktieren Sie den Shop.',
  byCode: {
    validation_error:
      'Dieser Link oder dieses Formular ist ungültig. Gehen Sie zurück oder bitten Sie den Shop um ' +
      'einen neuen Link.',
    not_found: 'Unter dieser Adresse gibt es keine Seite.',
    order_not_payable:
      'Diese Bestellung kann nicht mehr bezahlt werden. Kehren Sie zum Shop zurück und bestellen ' +
      'Sie erneut.',
    method_not_offered: 'Diese Zahlungsart ist nicht verfügbar. Wählen Sie eine andere.',
    product_not_available:
      'Dieses Produkt ist nicht verfügbar. Kehren Sie zum Shop zurück und wählen Sie ein anderes.',
    internal_error:
      'Bitte versuchen Sie es erneut. Wenn der Fehler wieder auftritt, kontaktieren Sie den Shop ' +
      'und geben Sie die Anfragenummer unten an.',
    provider_unavailable: 'Bitte versuchen Sie es in einigen Minuten erneut.',
  },
  byReason: {
    order_unknown: 'Diese Bestellung gibt es nicht.',
    product_unknown: 'Dieses Produkt gibt es nicht.',
    order_paid: 'Diese Bestellung ist bereits bezahlt.',
    order_cancelled: 'Diese Bestellung wurde storniert.',
    order_expired: 'Diese Bestellung ist abgelaufen. Kehren Sie zum Shop zurück und bestellen Sie erneut.',
    order_failed:
      'Die Zahlung dieser Bestellung ist fehlgeschlagen. Kehren Sie zum Shop zurück und bestellen ' +
      'Sie erneut.',
    coin_not_offered:
      'Dieser Coin ist für diese Bestellung derzeit nicht verfügbar. Wählen Sie eine andere Zahlungsart.',
    coin_unsupported: 'Dieser Coin wird nicht mehr unterstützt. Kontaktieren Sie den Shop.',
    nothing_to_refund:
      'Es gibt nichts zu erstatten. Kontaktieren Sie den Shop, wenn Sie glauben, dass das ein Fehler ist.',
    address_saved:
      'Eine Erstattungsadresse ist bereits gespeichert. Kontaktieren Sie den Shop, um sie zu ändern.',
    private_key:
      'Das sieht nach einem privaten Schlüssel aus. Geben Sie ihn niemals weiter. Geben Sie ' +
      'stattdessen eine Adresse ein.',
    payment_address: 'An diese Adresse bezahlen Sie. Geben Sie eine Adresse Ihrer eigenen Wallet ein.',
    payments_open:
      'Sie haben für diese Bestellung zehn Zahlungen geöffnet. Bezahlen Sie eine davon oder versuchen Sie ' +
      'es in 30 Minuten erneut.',
    changed: 'Diese Seite war nicht mehr aktuell. Laden Sie sie neu und versuchen Sie es erneut.',
  },
  notAnAddress: network =>
    `Das ist keine Adresse im Netzwerk ${network}. Kopieren Sie sie noch einmal aus Ihrer Wallet.`,
}

import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  title: 'Etwas ist schiefgelaufen',
  titled: title => `Fehler: ${title}`,
  forbidden: 'Dafür fehlt Ihnen die Berechtigung',
  missing: 'Seite nicht gefunden',
  notFound: 'Diese Seite gibt es nicht, oder sie gehört zu einem anderen Shop.',
  operator: 'Nur der Betreiber dieses Servers kann diese Seite öffnen oder das tun.',
  role: 'Ihre Rolle erlaubt das nicht. Fragen Sie einen Inhaber des Shops.',
  noShop: 'Diese Seite braucht einen Shop. Legen Sie zuerst einen an: Die Übersicht führt Sie dorthin.',
  otherSite:
    'Das Formular kam von einer anderen Website oder einem sehr alten Browser. Öffnen Sie die Seite ' +
    'neu und versuchen Sie es noch einmal.',
  tooMany: seconds =>
    `Zu viele Versuche. Warten Sie ${seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`} ` +
    'und versuchen Sie es dann noch einmal.',
  suspended: 'Dieses Konto ist gesperrt. Fragen Sie den Betreiber dieses Servers.',
  otherShop:
    'Sie haben einen anderen Shop gewählt, nachdem Sie diese Seite geöffnet hatten, vielleicht in einem ' +
    'anderen Tab. Es wurde nichts geändert. Wählen Sie den Shop, den Sie meinen, öffnen Sie die Seite neu ' +
    'und wiederholen Sie die Eingabe.',
  changed: 'Jemand anderes hat das gleichzeitig geändert. Laden Sie die Seite neu und entscheiden Sie dann.',
  changedBy: (who, time) =>
    `Nicht gespeichert: Am ${time} geändert durch ${who}, während Sie daran arbeiteten. Ihre Eingaben ` +
    'stehen noch hier. Sehen Sie nach, was jetzt gespeichert ist; wenn Sie noch einmal ' +
    'speichern, ersetzen Sie es.',
  someKey: 'einen API-Schlüssel',
  somebody: 'jemand anderen',
  lookAgain: 'Ansehen, was jetzt gespeichert ist',
  unavailable: 'Der Server kann gerade nichts speichern. Versuchen Sie es in einer Minute noch einmal.',
  internal:
    'Auf dem Server ist etwas schiefgelaufen. Versuchen Sie es noch einmal; wenn es wieder passiert, ' +
    'nennen Sie dem Betreiber diese Nummer:',
  number: id => `Anfrage ${id}`,
  invalid:
    'Eines der Felder hat einen Wert, den Florin nicht verwenden kann. Korrigieren Sie ihn und ' +
    'versuchen Sie es noch einmal.',
  invalidIn: field =>
    `„${field}“ hat einen Wert, den Florin nicht verwenden kann. Korrigieren Sie ihn und versuchen ` +
    'Sie es noch einmal.',
  /** The fields of forms, by their names. */
  fields: {
    name: 'Name',
    label: 'Bezeichnung',
    email: 'E-Mail-Adresse',
    fullName: 'Name des Kunden',
    password: 'Passwort',
    code: 'Code',
    amount: 'Betrag',
    currency: 'Währung',
    description: 'Beschreibung',
    what: 'Was ist es?',
    externalId: 'Bestellnummer',
    reason: 'Grund',
    text: 'Text',
    url: 'URL',
    address: 'Adresse',
    secret: 'Zugangstoken oder Geheimnis',
    viewKey: 'Privater View-Key',
    headerName: 'Name eines Headers mit Ihrem Schlüssel',
    headerValue: 'Wert des Headers',
    color: 'Farbe',
    supportEmail: 'E-Mail-Adresse für Kunden',
    supportUrl: 'Seite für Hilfe',
    returnUrl: 'Rückkehr-URL',
    termsUrl: 'AGB',
    privacyUrl: 'Datenschutzerklärung',
    tolerance: 'Fehlbeträge annehmen bis (Prozent)',
    timeZone: 'Zeitzone',
    language: 'Sprache',
    expires: 'Läuft ab',
    expiry: 'Der Link gilt',
    mode: 'Modus',
    scopes: 'Rechte',
    overlap: 'Wie lange das bisherige noch gilt',
    role: 'Rolle',
    logo: 'Logo',
    image: 'Bild',
    digestHour: 'Stunde der täglichen Zusammenfassung',
  },
  home: 'Zur Übersicht',
  byCode: {
    order_not_cancellable:
      'Nur eine unbezahlte Bestellung, für die noch niemand eine Zahlung begonnen hat, kann ' +
      'storniert werden.',
    order_not_endable: 'Nur eine unbezahlte Bestellung kann beendet werden.',
    order_not_forcible: 'Nur eine unbezahlte Bestellung kann als bezahlt markiert werden.',
    order_not_refundable: 'Nur eine bezahlte Bestellung kann erstattet werden, bis zu ihrem Betrag.',
    refund_exceeds_remaining: 'Der Betrag ist höher als das, was noch erstattet werden kann.',
    order_not_payable: 'Diese Bestellung kann nicht mehr bezahlt werden.',
    customer_blocked: 'Dieser Kunde ist gesperrt.',
    merchant_suspended: 'Dieser Shop ist gesperrt. Fragen Sie den Betreiber dieses Servers.',
    destination_not_allowed: 'Die URL muss mit https:// beginnen und darf nicht in ein privates Netz führen.',
    conflict:
      'Das wurde inzwischen geändert, deshalb ist die Aktion nicht mehr möglich. Laden Sie die Seite ' +
      'neu, um den jetzigen Stand zu sehen.',
    idempotency_key_reused:
      'Dieses Formular wurde schon einmal mit anderen Angaben gesendet, und die wurden gespeichert. Sehen ' +
      'Sie nach, was jetzt da ist. Wenn Sie das Formular noch einmal senden, wird zusätzlich gespeichert, ' +
      'was hier eingetragen ist.',
    body_too_large: 'Was Sie gesendet haben, ist zu groß.',
    provider_unavailable:
      'Der Zahlungsanbieter antwortet nicht. Versuchen Sie es in einigen Minuten noch einmal.',
  },
}

import type { Texts } from '../types.ts'

export const people: Texts['people'] = {
  title: 'Personen',
  person: 'Person',
  role: 'Rolle',
  you: 'Sie',
  invited: 'Eingeladen, noch ohne Passwort',
  empty: 'Außer dem Betreiber dieses Servers arbeitet noch niemand an diesem Shop.',
  roleOf: email => `Rolle von ${email}`,
  roleHint:
    'Wer Lesezugriff hat, sieht Bestellungen, Kunden und Berichte. Mitarbeiter können außerdem ' +
    'Bestellungen ' +
    'anlegen und stornieren, Zahlungen prüfen, ' +
    'Ereignisse erneut senden, Notizen schreiben und Produkte bearbeiten. Inhaber können auch ' +
    'Bestellungen als ' +
    'bezahlt markieren, Erstattungen eintragen und Wallets, Schlüssel und Personen ändern.',
  invite: 'Jemanden einladen',
  inviteSubmit: 'Einladungslink erstellen',
  linkFor: email => `Link für ${email}`,
  linkNote:
    'Senden Sie diesen Link auf einem privaten Weg. Er gilt eine Stunde lang und nur einmal, um ein ' +
    'Passwort ' +
    'zu wählen. ' +
    'Er wird nicht noch einmal angezeigt.',
  added: email => `${email} hat schon ein Passwort und kann diesen Shop jetzt benutzen.`,
  renew: 'Neuer Einladungslink',
  remove: 'Entfernen',
  removeAsk: email => `${email} aus diesem Shop entfernen?`,
  lastOwner: 'Der Shop braucht einen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
  knownElsewhere:
    'Jemand mit dieser Adresse benutzt diesen Server schon. Bitten Sie den Betreiber, die Person ' +
    'Ihrem Shop hinzuzufügen.',
  sharedInvitation:
    'Diese Person wurde auch zu einem anderen Shop oder als Betreiber eingeladen. Einen neuen Link kann ' +
    'ihr nur der Betreiber dieses Servers geben.',
  hasPassword:
    'Diese Person hat schon ein Passwort. Wenn sie es vergessen hat, kann der Betreiber des Servers es ' +
    'zurücksetzen.',
  done: { role: 'Die Rolle wurde geändert.', removed: 'Die Person wurde aus diesem Shop entfernt.' },
}

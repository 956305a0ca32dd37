import type { Texts } from '../types.ts'

export const consequences: Texts['consequences'] = {
  cancelOrder:
    'Der Zahlungslink gilt sofort nicht mehr. Eine stornierte Bestellung lässt sich nicht wieder öffnen.',
  endOrder:
    'Der Zahlungslink gilt sofort nicht mehr, und die Bestellung lässt sich nicht wieder öffnen. Was erst ' +
    'danach gesendet wird, kann sie noch bezahlen, zu seinem Wert in diesem Moment.',
  forceOrder: 'Die Bestellung gilt als bezahlt. Das lässt sich nicht rückgängig machen.',
  blockCustomer: 'Sie können die Sperre jederzeit aufheben.',
  eraseCustomer: 'Das lässt sich nicht rückgängig machen, auch nicht durch den Betreiber dieses Servers.',
  revokeKey:
    'Anfragen mit einem widerrufenen Schlüssel werden sofort abgelehnt. Er gilt nie wieder: Erstellen ' +
    'Sie stattdessen einen neuen.',
  rotateSecret:
    'Ihre Website muss das neue Geheimnis verwenden. Das alte gilt noch so lange, wie Sie wählen, und ' +
    'dann nie wieder.',
  removePerson:
    'Wer entfernt wird, sieht diesen Shop nicht mehr. Die Einträge im Protokoll bleiben, und Sie ' +
    'können die Person wieder einladen.',
  removePasskey:
    'Mit einem entfernten Passkey melden Sie sich nicht mehr an. Sie können das Gerät neu hinzufügen.',
  removeChannel:
    'Dorthin wird nichts mehr gesendet. Sie können den Kanal wieder hinzufügen, müssen ihn dann ' +
    'aber neu bestätigen.',
  removeWallet:
    'Neue Zahlungen gehen nicht mehr dorthin. Vergebene Adressen werden weiter überwacht, und Sie ' +
    'können alles neu eintragen.',
  emptyPool:
    'Nur Adressen, die kein Kunde bekommen hat, werden herausgenommen. Sie können sie ' +
    'wieder hinzufügen.',
  secondFactorOff:
    'Die Codes Ihrer App und die Wiederherstellungscodes gelten sofort nicht mehr. Sie können alles ' +
    'neu einrichten.',
  resetSignIn:
    'Die App und die Passkeys der Person werden endgültig entfernt. Sie muss beides neu einrichten.',
  suspendUser: 'Wer gesperrt wird, ist sofort überall abgemeldet. Sie können die Sperre wieder aufheben.',
  removeEndpoint: 'Der Eintrag wird sofort entfernt. Sie können ihn wieder hinzufügen.',
  archiveProduct:
    'Niemand kann ein archiviertes Produkt bestellen. Seine Bestellungen bleiben, und Sie können es ' +
    'jederzeit wiederherstellen.',
}

import type { Texts } from '../types.ts'

export const endpoints: Texts['endpoints'] = {
  title: 'Endpunkte und Kurse',
  titleOf: chain => `Endpunkte von ${chain}`,
  intro:
    'Um Zahlungen in Coins zu sehen, fragt Florin Server, die die Blockchain kennen: Endpunkte. Für ' +
    'die Preise von Coins fragt Florin Börsen. Änderungen gelten sofort für alle Shops dieses Servers.',
  sandbox: 'In der Testumgebung sind Blockchains und Kurse simuliert, deshalb gibt es hier nichts zu wählen.',
  locked: setting =>
    `Diese Einstellungen sind durch die Umgebungsvariable ${setting} festgelegt. Um sie hier zu ` +
    'ändern, entfernen Sie die Variable und starten Sie den Server neu.',
  back: 'Alle Endpunkte und Kurse',
  backTo: network => `Zurück zur Wallet: ${network}`,
  backToPayouts: 'Wallets',
  chains: 'Blockchains',
  chain: 'Blockchain',
  used: 'Endpunkte',
  none: 'keine',
  fromEnvironment: 'durch eine Umgebungsvariable festgelegt',
  choose: 'Wählen',
  change: 'Ändern',
  list: 'In dieser Reihenfolge verwendet',
  listHint:
    'Fällt ein Endpunkt aus, verwendet Florin den nächsten. Fügen Sie mindestens zwei hinzu, die ' +
    'verschiedene Unternehmen betreiben.',
  empty:
    'Noch keine. Bis Sie einen hinzufügen, können Kunden in diesem Netzwerk nicht an Ihre eigenen ' +
    'Adressen zahlen.',
  header: name => `Sendet den Header ${name}, dessen Wert nicht mehr gezeigt wird.`,
  worked: 'Funktionierte am',
  notUsed: 'Seit dem Start des Servers nicht verwendet',
  failed: 'War zuletzt nicht nutzbar:',
  raise: 'Nach oben',
  remove: 'Entfernen',
  removeAsk: host =>
    `${host} entfernen? Ohne Endpunkt sieht Florin auf dieser Blockchain keine Zahlungen, ` +
    'auch nicht für offene ' +
    'Bestellungen.',
  test: 'Testen',
  of: host => ` ${host}`,
  public: 'Öffentliche Endpunkte',
  publicHint:
    'Kostenlos und von anderen betrieben. Sie können Anfragen begrenzen oder ablehnen. ' +
    'Florin testet jeden, bevor ' +
    'er gespeichert wird.',
  noPublic:
    'Für diese Blockchain ist kein kostenloser öffentlicher Endpunkt bekannt. Verwenden Sie ' +
    'Ihren eigenen Node ' +
    'oder einen Anbieter von Nodes.',
  runBy: operator => `Betrieben von ${operator}`,
  add: 'Testen und hinzufügen',
  sees: 'Was ein Endpunkt sieht',
  seesText:
    'Die Adressen, an die Ihre Kunden zahlen, sodass er erkennt, dass sie zusammengehören, ' +
    'und die IP-Adresse ' +
    'dieses Servers. Namen, E-Mail-Adressen und Produkte sieht er nicht. Eine falsche ' +
    'Antwort könnte eine ' +
    'Bestellung bezahlt oder unbezahlt erscheinen lassen: Wählen Sie Betreiber, denen Sie ' +
    'vertrauen, oder ' +
    'betreiben Sie einen eigenen Node.',
  own: 'Ein anderer Endpunkt',
  url: 'URL',
  urlHint: example => `Von Ihrem Anbieter oder eigenen Node, etwa ${example}. Sie wird nicht mehr gezeigt.`,
  urlPrivate:
    'Um einen Node im eigenen Netz zu verwenden, tragen Sie Host und Port in die Umgebungsvariable ' +
    'FLORIN_OUTBOUND_ALLOW ein, etwa 192.168.1.5:8332, und starten Sie den Server neu.',
  headerName: 'Name eines Headers mit Ihrem Schlüssel',
  headerNameHint: 'Nur wenn Ihr Anbieter einen verlangt, etwa x-api-key.',
  headerValue: 'Wert des Headers',
  wrong: {
    text: 'Geben Sie eine URL ein, die mit https:// beginnt und noch nicht in der Liste steht.',
    headerName: 'Geben Sie den Namen eines Headers ein, etwa x-api-key.',
    headerValue: 'Geben Sie den Wert des Headers ein: Buchstaben, Ziffern und Zeichen ohne Akzente.',
  },
  added: 'Hinzugefügt. Florin verwendet ihn ab jetzt.',
  removed: 'Entfernt.',
  moved: 'Umgeordnet.',
  partly: assets => `Zahlungen in ${assets} sind damit zu finden. Für andere ist er nicht nutzbar:`,
  tested: (host, assets) => `${host} funktioniert für ${assets}.`,
  unusable: host => `${host} ist nicht nutzbar und wurde nicht hinzugefügt:`,
  stillUnusable: host => `${host} ist jetzt nicht nutzbar:`,
  faults: {
    wrongChain: 'Er gehört zu einer anderen Blockchain. Prüfen Sie, ob die URL zu dieser gehört.',
    private:
      'Er liegt in einem privaten Netz, oder seine URL beginnt nicht mit https://. Ist es Ihr ' +
      'eigener, tragen Sie Host und Port in die Umgebungsvariable FLORIN_OUTBOUND_ALLOW ein und ' +
      'starten Sie den Server neu.',
    silent:
      'Die Antwort kam nicht rechtzeitig. Versuchen Sie es später noch einmal, oder wählen Sie ' +
      'etwas anderes.',
    limited:
      'Die Zahl der Anfragen ist begrenzt. Versuchen Sie es später noch einmal, oder verwenden Sie ' +
      'einen eigenen Schlüssel.',
    denied:
      'Er verlangt einen gültigen Schlüssel. Geben Sie die URL von Ihrem Anbieter ein, oder den ' +
      'Header mit Ihrem Schlüssel.',
    unreachable: 'Er ist nicht erreichbar. Prüfen Sie Host und Port der URL, oder wählen Sie einen anderen.',
    behind: 'Er kennt die neuesten Blöcke nicht, Zahlungen würden also übersehen. Wählen Sie einen anderen.',
    failing:
      'Er meldet einen eigenen Fehler. Versuchen Sie es später noch einmal, oder wählen Sie einen anderen.',
    malformed:
      'Seine Antwort lässt sich nicht lesen. Prüfen Sie den Pfad der URL, oder wählen Sie einen anderen.',
    noPrice: 'Dort gibt es keine Preise.',
    unusable: 'Er antwortet so, dass Florin ihn nicht verwenden kann. Wählen Sie einen anderen.',
  },
  rates: 'Wechselkurse',
  ratesHint:
    'Wählen Sie möglichst drei Quellen. Mit zwei oder mehr verwendet Florin einen Preis nur, wenn ' +
    'zwei übereinstimmen. Mit einer verwendet Florin ihren Preis ungeprüft.',
  oneRate:
    'Es gibt nur eine Quelle, ein falscher Preis würde also nicht auffallen. Fügen Sie eine weitere ' +
    'hinzu.',
  noRates: 'Noch keine. Bis Sie eine hinzufügen, können Kunden nicht mit Coins zahlen.',
  ratesSee:
    'Eine Börse sieht die IP-Adresse dieses Servers und nach welchen Coins er fragt, aber ' +
    'keine Bestellungen und ' +
    'keine Adressen.',
  exchanges: { kraken: 'Kraken', coinbase: 'Coinbase', binance: 'Binance', coingecko: 'CoinGecko' },
  exchangeNotes: {
    kraken: 'Preise in US-Dollar und einigen größeren Währungen.',
    coinbase: 'Preise in US-Dollar und den meisten anderen Währungen.',
    binance: 'Preise in USDT, die Florin umrechnet. Deshalb ist noch eine weitere Quelle nötig.',
    coingecko: 'Mittelwerte vieler Börsen, in vielen Währungen. Begrenzt die kostenlose Nutzung.',
  },
  rateProblem: name => `${name} ist nicht nutzbar und wurde nicht hinzugefügt:`,
  rateUnusable: name => `${name} ist jetzt nicht nutzbar:`,
  rateTested: name => `${name} funktioniert.`,
  rateAdded: 'Hinzugefügt. Florin verwendet sie ab jetzt.',
  binanceAlone: 'Binance kann nicht die einzige Quelle sein. Fügen Sie zuerst eine andere hinzu.',
}

import type { Texts } from '../types.ts'

export const walletFaults: Texts['walletFaults'] = {
  privateKey: () => 'Das sieht nach einem privaten Schlüssel oder Seed-Wörtern aus.',
  exposed: () => 'Das sieht nach einem privaten Schlüssel oder Seed-Wörtern aus. Verwenden Sie nur Adressen.',

  notAnAddress: () =>
    'Das ist keine Adresse dieses Netzwerks. Prüfen Sie sie auf Tippfehler und kopieren Sie sie noch einmal.',
  reserved: () =>
    'Das Netzwerk reserviert diese Adresse: Was dorthin gesendet wird, kann niemand mehr bewegen.',
  ownerless: () => 'Diese Adresse gehört niemandem: Was dorthin gesendet wird, ist verloren.',
  publicContract: () =>
    'Das ist ein öffentlicher Vertrag, keine Wallet: Was dorthin gesendet wird, ist verloren.',
  publicProgram: () =>
    'Das ist ein öffentliches Programm, keine Wallet: Was dorthin gesendet wird, ist verloren.',
  tokenContract: () =>
    'Das ist der Vertrag eines Tokens, keine Wallet: Was dorthin gesendet wird, ist verloren.',
  givenToBuyer: () =>
    'Diese Adresse wurde schon einem Kunden zum Bezahlen gegeben. Verwenden Sie eine andere.',

  otherAddress: ({ network }) =>
    `Das ist keine Adresse von ${network}, oder sie enthält einen Tippfehler. Kopieren Sie sie noch einmal.`,
  programAddress: () =>
    'Das ist die Adresse eines Programms, etwa ein Token-Konto, und keine Wallet. Verwenden Sie die ' +
    'Adresse ' +
    'der Wallet selbst.',
  notAWallet: ({ program }) =>
    `Das ist keine Wallet: Es gehört dem Programm ${program}. Verwenden Sie die Adresse der Wallet selbst.`,
  payoutWallet: () =>
    'Das ist Ihre Auszahlungs-Wallet. Sie erhält auch anderes Geld, deshalb kann Florin ihr keine ' +
    'Zahlungen zuordnen.',
  notListed: () => 'Diese Adresse steht nicht in Ihrer Liste.',
  isGiven: () => 'Diese Adresse wurde einem Kunden gegeben und bleibt deshalb in der Liste.',
  inUse: () =>
    'Diese Adresse wird schon von einem erweiterten öffentlichen Schlüssel oder einem anderen Shop ' +
    'verwendet.',

  noAccountKeys: () =>
    'Wallets dieses Netzwerks haben keinen erweiterten öffentlichen Schlüssel. Geben Sie eine ' +
    'Adresse ein.',
  malformedKey: ({ prefixes }) =>
    'Das ist kein vollständiger erweiterter öffentlicher Schlüssel. Kopieren Sie alles, was die ' +
    `Wallet zeigt, und sonst nichts: Er beginnt mit ${prefixes} und hat etwa 111 Buchstaben und ` +
    'Ziffern.',
  keyBelowAccount: ({ path }) =>
    'Das ist nicht der Schlüssel, mit dem Ihre Wallet empfängt, oder er gehört zu einer ' +
    'Multisig-Wallet. Öffnen Sie in Ihrer Wallet die Kontodetails, und kopieren Sie den erweiterten ' +
    `öffentlichen Schlüssel des Kontos (etwa Pfad ${path}).`,
  keyAboveAccount: ({ path }) =>
    'Das ist der Schlüssel einer ganzen Wallet, nicht der eines Kontos. Öffnen Sie in Ihrer Wallet ' +
    'die Kontodetails, und kopieren Sie den erweiterten öffentlichen Schlüssel des Kontos (etwa Pfad ' +
    `${path}).`,
  scriptUnknown: ({ prefix }) =>
    `Electrum exportiert diesen ${prefix} für mehrere Adresstypen. Wählen Sie unten den Typ und ` +
    'geben Sie den Schlüssel noch einmal ein.',
  noScripts: ({ network }) => `${network} hat nur einen Adresstyp. Geben Sie den Schlüssel ohne Typ ein.`,
  otherScripts: ({ network, scripts }) => `${network} hat nur die Adresstypen ${scripts}.`,
  scriptOfKey: ({ prefix, script }) =>
    `Ein ${prefix} ist nur für den Adresstyp ${script}. Geben Sie den Schlüssel ohne Typ ein.`,
  testKey: ({ prefix, prefixes, network }) =>
    `Dieser ${prefix} gehört zu einem Testnetzwerk. Verwenden Sie den ${prefixes} einer echten Wallet ` +
    `für ${network}.`,
  multisigKey: ({ prefix, prefixes, network }) =>
    `Dieser ${prefix} ist einer von mehreren Schlüsseln einer Multisig-Wallet und ergibt allein keine ` +
    `Adressen. Verwenden Sie den ${prefixes} einer Wallet für ${network} mit nur einem Schlüssel.`,
  unsupportedKey: ({ prefixes, network }) =>
    'Dieser Schlüssel gehört zu einem Coin, den Florin nicht unterstützt. Verwenden Sie den ' +
    `${prefixes} einer Wallet für ${network}.`,
  otherNetworkKey: is =>
    `Dieser ${is.prefix} ist für ${is.networks}. Verwenden Sie den ${is.prefixes} einer Wallet für ` +
    `${is.network}.`,

  scriptAssumed: ({ script }) =>
    `Der Schlüssel sagt nicht, welchen Adresstyp seine Wallet verwendet; angenommen wird ${script}. ` +
    'Vergleichen Sie die erste Adresse unten mit der ersten in Ihrer Wallet.',
  electrumKey: ({ depth }) =>
    `Dieser Schlüssel hat die Form, die Electrum exportiert (Tiefe ${depth}). Andere Wallets zeigen ` +
    'Zahlungen an solche Adressen nicht an: Vergleichen Sie die erste Adresse unten mit der ersten ' +
    'in Ihrer Wallet.',

  notMonero: () => 'Das ist keine Monero-Adresse. Kopieren Sie die Hauptadresse Ihrer Wallet.',
  integrated: () =>
    'Das ist eine integrierte Adresse, die eine Zahlungs-ID enthält. Verwenden Sie die Hauptadresse ' +
    'Ihrer Wallet, die mit 4 beginnt.',
  subaddress: () =>
    'Das ist eine Unteradresse. Verwenden Sie die Hauptadresse Ihrer Wallet, die mit 4 beginnt.',
  viewKeyWords: () =>
    'Das sieht nach Seed-Wörtern aus. Verwenden Sie den privaten View-Key einer neuen Wallet.',
  viewKeyForm: () =>
    'Ein privater View-Key hat 64 Zeichen: Ziffern und die Buchstaben a bis f. Kopieren Sie ihn und ' +
    'sonst nichts.',
  spendKey: () =>
    'Das ist der private SPEND-Key, mit dem man Geld ausgeben kann. Senden Sie das Geld dieser Wallet ' +
    'an eine neue und verwenden Sie den privaten View-Key der neuen Wallet.',
  publicViewKey: () => 'Das ist ein öffentlicher Schlüssel. Kopieren Sie den privaten (geheimen) View-Key.',
  viewKeyRange: () => 'Das ist kein privater View-Key. Kopieren Sie ihn noch einmal aus Ihrer Wallet.',
  otherViewKey: () =>
    'Dieser View-Key gehört zu einer anderen Wallet als die Adresse. Kopieren Sie beide aus ' +
    'derselben Wallet.',
  viewKeyMissing: () => 'Geben Sie auch den privaten View-Key ein.',
  otherPayout: () =>
    'Das gehört zu einer anderen Wallet als Ihre Auszahlungs-Wallet. Verwenden Sie die Schlüssel der ' +
    'Auszahlungs-Wallet, oder entfernen Sie diese zuerst.',
}

import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} sur ${network}`,
  pay: (amount, network) => `Payez ${amount} sur ${network}`,
  payCoin: amount => `Payez ${amount}`,
  waiting: 'En attente de votre paiement',
  timeLeft: 'Temps restant :',
  payBefore: time => `Payez avant ${time}`,
  fewMinutesLeft: 'Il reste moins de cinq minutes pour payer.',
  detected: 'Paiement détecté',
  detectedWith: progress => `Paiement détecté : ${progress}`,
  confirmations: 'Confirmations',
  progress: (done, required) => `${done} confirmations sur ${required}`,
  lastConfirmation: 'En attente de la confirmation finale',
  aboutLeft: time => `encore environ ${time}`,
  receivedPayments: 'Déjà reçu',
  closePage:
    'Vous pouvez fermer cette page. La commande sera marquée comme payée dès que le réseau aura ' +
    'confirmé le paiement.',
  leftToPay: amount => `Reste à payer : ${amount}`,
  sendRest: received => `Nous avons reçu ${received}. Veuillez envoyer le reste à la même adresse.`,
  dustTitle: 'Le montant restant est trop faible pour être envoyé',
  qrOfPayment: 'Code QR du paiement',
  qrOfAddress: 'Code QR de l’adresse',
  cannotScan: 'Votre portefeuille ne peut pas lire ce code ?',
  onlyAddress: 'Ce code ne contient que l’adresse.',
  showAddressOnly: 'Afficher uniquement l’adresse',
  includeAmount: 'Inclure le montant',
  openWallet: 'Ouvrir dans le portefeuille',
  walletClosed: 'Rien ne s’est ouvert ? Copiez le montant et l’adresse dans votre portefeuille.',
  browserWallet: {
    pay: 'Payer avec {wallet}',
    open: 'Confirmez le paiement dans votre portefeuille.',
    sent: 'Envoyé. Cette page se mettra à jour dès que le paiement sera détecté.',
    again: 'Envoyer à nouveau avec {wallet} ?',
    twice: 'N’envoyez à nouveau que si votre portefeuille indique que le premier paiement a échoué.',
    rejected: 'Vous n’avez pas confirmé le paiement. Rien n’a été envoyé.',
    chain: 'Votre portefeuille ne connaît pas ce réseau. Ajoutez-le dans le portefeuille, puis réessayez.',
    failed:
      'Votre portefeuille n’a pas pu envoyer le paiement. Vérifiez son solde ou payez avec le code QR ' +
      'ou l’adresse.',
  },
  sendTestCoins: 'Envoyer des cryptomonnaies de test',
  sendOnly: (coin, network) => `Envoyez uniquement ${coin} sur le réseau ${network}.`,
  otherCoins:
    'D’autres cryptomonnaies, ou celles envoyées sur d’autres réseaux, risquent de ne pas compter ' +
    'pour cette commande et d’être perdues.',
  exactAmount: 'Envoyez exactement ce montant, en une seule transaction.',
  exactAmountReason:
    'Nous identifions votre paiement à son montant. Si vous payez depuis une plateforme ' +
    'd’échange, ajoutez ses frais de retrait pour que ce montant exact arrive.',
  exchangeFee:
    'Vous payez depuis une plateforme d’échange ? Ajoutez ses frais de retrait pour que ce montant exact ' +
    'arrive.',
  amountLeft: 'Reste à payer',
  amountDue: 'Envoyez exactement',
  toAddress: network => `À cette adresse sur le réseau ${network}`,
  rate: 'Taux',
  theAmount: 'le montant',
  theAddress: 'l’adresse',
  nothingFound: network => `Aucun paiement détecté sur ${network} pour le moment.`,
  nothingMore: 'Rien d’autre n’est arrivé.',
  restMissing: 'Le reste n’est pas encore arrivé.',
  unconfirmed: 'Le paiement n’est pas encore confirmé.',
  lapsed: 'Le délai de paiement est écoulé',
  partOf: (received, due) => `${received} sur ${due}`,
  maybePaid:
    'Vous venez de payer ? Votre paiement sera tout de même détecté et vous pouvez fermer cette ' +
    'page. Sinon, demandez un nouveau prix.',
  newPrice: coin => `Obtenir un nouveau prix en ${coin}`,
  notCovered:
    'Nous n’avons pas encore reçu le montant total. Si vous venez de payer, vérifiez à nouveau ' +
    'dans quelques minutes.',
  elsewhere: {
    ask: 'J’ai envoyé sur un autre réseau',
    looking: networks => `Nous vérifions en ce moment : ${networks}.`,
    found: coins => `Nous avons trouvé ${coins}.`,
    nothing: (networks, time) => `Nous avons vérifié ${networks} à ${time} et n’avons rien trouvé.`,
    unreachable: networks =>
      `Impossible de joindre ${networks} pour le moment. ` +
      'Nous continuons d’essayer ; rien de ce que vous avez envoyé n’est perdu.',
  },
  turnedTo: coin =>
    `Un paiement plus récent a été lancé dans une autre fenêtre : ${coin}. Cette page l’affiche ` +
    'maintenant. Si vous avez déjà payé, votre paiement sera quand même détecté.',
}

import type { Texts } from '../types.ts'

export const crypto: Texts['crypto'] = {
  coinOnNetwork: (coin, network) => `${coin} sur ${network}`,
  payWith: coin => `Payer avec ${coin}`,
  waiting: 'En attente de votre paiement',
  timeLeft: 'Temps restant :',
  payBefore: time => `Payez avant ${time}`,
  detected: 'Paiement détecté',
  detectedWith: progress => `Paiement détecté : ${progress}`,
  confirmations: 'Confirmations',
  progress: (done, required) => `${done} confirmations sur ${required}`,
  lastConfirmation: 'En attente de la confirmation finale',
  closePage: 'Vous pouvez fermer cette page ; votre commande sera tout de même marquée comme payée.',
  leftToPay: amount => `Reste à payer : ${amount}`,
  sendRest: received => `Nous avons reçu ${received}. Veuillez envoyer le reste à la même adresse.`,
  dustTitle: 'Le montant restant est trop faible pour être envoyé',
  dust: (received, due) =>
    `Nous avons reçu ${received} sur ${due}, et la boutique en a été informée. Vous n’avez rien ` +
    'd’autre à envoyer. Veuillez contacter la boutique si votre commande n’est pas confirmée ' +
    'rapidement.',
  qrOfPayment: 'Code QR du paiement',
  qrOfAddress: 'Code QR de l’adresse',
  cannotScan: 'Votre portefeuille ne peut pas lire ce code ?',
  onlyAddress: 'Ce code ne contient que l’adresse.',
  showAddressOnly: 'Afficher uniquement l’adresse',
  includeAmount: 'Inclure le montant',
  openWallet: 'Ouvrir dans le portefeuille',
  sendTestCoins: 'Envoyer des pièces de test',
  sendOnly: (coin, network) => `Envoyez uniquement ${coin} sur le réseau ${network}.`,
  otherCoins:
    'Les autres cryptomonnaies, ou celles envoyées sur d’autres réseaux, ne paieront pas cette ' +
    'commande et peuvent être perdues.',
  exactAmount: 'Envoyez exactement ce montant, en une seule transaction.',
  exactAmountReason:
    'Nous identifions votre paiement à son montant. Assurez-vous que votre portefeuille ou votre ' +
    'plateforme d’échange n’en déduit pas ses frais.',
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
  lapsedShort: received =>
    `Nous avons reçu ${received}. Votre paiement est en sécurité. Veuillez contacter la boutique ` +
    'avant de payer à nouveau.',
  partOf: (received, due) => `${received} sur ${due}`,
  maybePaid:
    'Vous venez de payer ? Votre paiement sera tout de même détecté et vous pouvez fermer cette ' +
    'page. Sinon, demandez un nouveau prix.',
  newPrice: coin => `Obtenir un nouveau prix en ${coin}`,
  notCovered: 'Aucun paiement couvrant la commande n’a été détecté.',
}

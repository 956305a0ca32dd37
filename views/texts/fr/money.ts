import type { Texts } from '../types.ts'

export const money: Texts['money'] = {
  received: (received, total, left) => `Reçu : ${received} sur ${total} · reste ${left}`,
  receivedAll: (received, total) => `Reçu : ${received} sur ${total}`,
  awaiting: (amount, shop) =>
    `Le montant de ${amount} doit encore être accepté par ${shop}. N’envoyez rien de plus pour le moment.`,
  awaitingUnknown: shop =>
    `Un paiement doit encore être accepté par ${shop}. N’envoyez rien de plus pour le moment.`,
  tooSmall: left =>
    `Le montant restant, ${left}, est trop faible pour être envoyé. La boutique en a été informée ; vous ` +
    'n’avez rien d’autre à envoyer.',
  others: 'Autres paiements que vous avez commencés',
  continueWith: name => `Continuer avec ${name}`,
  part: received => `Reçu : ${received}`,
  vanished: amount =>
    `Le réseau n’affiche plus votre paiement de ${amount}. Vérifiez-le dans votre portefeuille avant ` +
    'tout nouvel envoi.',
  blind: (network, time) =>
    `Nous ne parvenons pas à joindre le réseau ${network} pour le moment. Dernière vérification : ${time}.`,
  blindAdvice:
    'Si vous avez déjà payé, votre paiement n’est pas perdu. Ne payez pas à nouveau : nous le trouverons ' +
    'dès que nous pourrons joindre le réseau.',
}

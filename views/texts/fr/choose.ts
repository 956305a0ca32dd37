import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'Choisissez comment payer',
  byProvider: 'Carte, virement bancaire ou portefeuille électronique',
  crypto: 'Crypto',
  card: 'Carte',
  bank: 'Virement bancaire',
  through: provider => `via ${provider}`,
  moreWays: 'Autres moyens de paiement',
  moreCoins: 'Autres cryptomonnaies',
  filter: 'Rechercher un moyen de paiement',
  noMatch: 'Aucun moyen de paiement ne correspond.',
  usual: (fee, time) => `Frais de réseau : en général environ ${fee}. Durée : environ ${time}`,
  networks: count =>
    plural('fr', count, {
      one: `${count} réseau`,
      other: `${count} réseaux`,
    }),
  payWith: method => `Payer avec ${method}`,
  continueTo: method => `Continuer vers ${method}`,
  keepPageOpen: method =>
    `${method} s’ouvre dans un nouvel onglet. Revenez sur cette page pour voir quand votre ` +
    'paiement sera arrivé.',
  handledBy: company =>
    `${company} traite le paiement et règle la boutique en cryptomonnaie. Une pièce d’identité ` +
    'peut être demandée et des frais peuvent s’ajouter.',
  handledByNamed:
    'L’entreprise indiquée traite le paiement et règle la boutique en cryptomonnaie. Elle peut ' +
    'demander une pièce d’identité et ajouter ses frais.',
  back: 'Retour au paiement commencé',
  noMethod: 'Aucun moyen de paiement',
  nothing: 'Aucun moyen de paiement n’est disponible pour le moment',
  providerAway: 'Le prestataire de paiement ne répond pas. Veuillez réessayer dans quelques minutes.',
  noneForAmount: 'Aucun des moyens de paiement de la boutique n’est disponible pour ce montant.',
  openUntil: time => `Cette commande reste ouverte jusqu’au ${time}.`,
  cardsAway:
    'Les paiements par carte, virement bancaire ou portefeuille électronique ne sont pas ' +
    'disponibles pour le moment.',
  tryInMinutes: 'Veuillez réessayer dans quelques minutes.',
  networksAway: networks => `Nous ne parvenons pas à joindre ${networks} pour le moment.`,
  otherOrLater: 'Choisissez un autre moyen de paiement ou réessayez dans quelques minutes.',
  unavailable: method => `${method} n’est pas disponible`,
  chooseOther: 'Aucun montant n’a été débité. Choisissez un autre moyen de paiement.',
  declined: method => `${method} a refusé le paiement`,
  tryAgainOrOther:
    'Le paiement n’a pas abouti. Si votre banque affiche un montant bloqué, il disparaîtra de lui-même. ' +
    'Réessayez ou choisissez un autre moyen de paiement.',
}

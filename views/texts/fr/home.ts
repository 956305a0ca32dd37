import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Paiements par Florin',
  what: 'Ce serveur traite les paiements de boutiques en ligne.',
  buyers: 'Vous êtes ici pour payer ? Ouvrez le lien que la boutique vous a donné.',
  developers:
    'Vous gérez ce serveur ou une boutique ? La référence de l’API montre comment créer une commande.',
  sandbox:
    'Ceci est un environnement de test : pour l’essayer, créez une commande et ouvrez sa page de ' +
    'paiement. Vous pouvez la payer avec des cartes et des cryptomonnaies de test.',
  reference: 'Référence de l’API',
}
